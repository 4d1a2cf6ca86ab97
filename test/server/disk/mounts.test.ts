import { expect } from '@esm-bundle/chai';
import { MAX_MOUNTS } from '../../../packages/server/src/disk/create-disk.js';
import { failureOf } from '../../support/failure.js';
import { describeDisk, uriOf, useDisk } from '../../support/disk.js';

describeDisk('the folders of the disk', () => {
  const own = useDisk();
  const mountAt = async (path: string, options = {}) =>
    own.mount(options, await own.folderAt(path));
  const refusal = async (options: object, path = 'other') => {
    const failure = (await failureOf(mountAt(path, options))) as Error;
    expect(failure).to.have.property('code', 'invalid-argument');
    return failure.message;
  };
  const states = () => own.reports.at(-1)!.map(({ name, state }) => `${name} ${state}`);
  const root = { uri: 'disk:///project/', listChanged: true, andLonger: true };

  it('have a name of their own, or that of the handle', async () => {
    const facts = { name: 'project', uri: 'disk:///project/', state: 'ready' };
    expect(await own.mount()).to.eql({ ...facts, write: false, guests: false });
    expect((await mountAt('a/project')).uri).to.equal('disk:///project%202/');
    expect((await mountAt('b/project')).name).to.equal('project 3');
    // The page's own storage has no name.
    expect((await own.mount({}, await navigator.storage.getDirectory())).name).to.equal('folder');
    const names = [255, 256].map((length) => 'x'.repeat(length));
    expect(await refusal({ name: 'project' })).to.match(/mounted as project/);
    for (const name of [names[1], '', '.', '..', 'a/b', 'a\0', '\ud800', 7, null])
      expect(await refusal({ name }), String(name)).to.match(/1 to 255 characters and no slash/);
    expect((await mountAt('other', { name: names[0] })).name).to.equal(names[0]);
    // In the address, each `%` is three characters, and `disk:///` and the slash are nine.
    const long = (extra: string) => `${'€'.repeat(110)}${extra}`;
    expect((await mountAt('long', { name: long('x') })).uri.length).to.equal(1_000);
    expect(await refusal({ name: long('xx') })).to.match(/at most 1000 characters as an address/);
    for (const member of ['write', 'guests'])
      expect(await refusal({ [member]: 'false' }), member).to.match(/must be true or false/);
    const file = (await own.fileAt('file')) as never;
    expect(await failureOf(own.mount({}, file))).to.match(/not the handle of a folder/);
  });

  it('are mounted once each, also by calls that come at once', async () => {
    const handle = await own.folderAt('a/project');
    const infos = await Promise.all([own.mount(), own.mount(), own.mount({}, handle)]);
    expect(infos.map(({ name }) => name)).to.eql(['project', 'project', 'project 2']);
    expect(states()).to.eql(['project ready', 'project 2 ready']);
  });

  it(`are at most ${MAX_MOUNTS}`, async () => {
    for (let index = 0; index < MAX_MOUNTS; index += 1) await mountAt(`${index}`);
    expect(await refusal({}, 'more')).to.equal(`A page mounts at most ${MAX_MOUNTS} folders.`);
    expect(await mountAt('0', { guests: true })).to.include({ guests: true });
    await own.disk.control.unmount('1');
    await mountAt('more');
    expect(own.reports.at(-1)).to.have.length(MAX_MOUNTS);
  });

  it('leave out what a limited number of patterns says', async () => {
    const lines = (count: number, length: number) => Array(count).fill('x'.repeat(length));
    await own.mount({ ignore: lines(1_000, 100) });
    const limits = '`ignore` has at most 1000 patterns of 100000 characters.';
    for (const ignore of [lines(1_001, 1), lines(1, 100_001), lines(2, 50_001)])
      expect(await refusal({ ignore })).to.equal(limits);
    for (const ignore of ['*.txt', 7, null, [7], {}])
      expect(await refusal({ ignore })).to.match(/"gitignore" or an array/);
  });

  it('get other options when they are mounted again', async () => {
    await own.plant('a.txt', 'b');
    await own.mount({ ignore: ['*.txt'], write: true });
    expect(await own.listed()).to.eql(['', 'b'].map(uriOf));
    const info = await own.mount({ name: 'other', guests: true });
    expect(info).to.include({ name: 'project', write: false, guests: true });
    expect(states()).to.eql(['project ready']);
    expect(await own.listed()).to.eql(['', 'a.txt', 'b'].map(uriOf));
  });

  it('are not served any more when they are unmounted', async () => {
    await own.plant('a');
    await own.mount();
    own.changes.length = 0;
    await own.disk.control.unmount('project');
    await own.disk.control.unmount('project');
    expect(own.changes).to.eql([root]);
    expect(states()).to.eql([]);
    expect(await own.listed()).to.eql([]);
    for (const path of ['', 'a']) expect(await own.read(uriOf(path))).to.equal(undefined);
    expect(await own.readFolder('disk:///')).to.eql({ total: 0, children: [] });
  });

  it('are not served any more when they are unmounted while they are mounted', async () => {
    await Promise.all([own.mount(), own.disk.control.unmount('project')]);
    expect(await own.listed()).to.eql([]);
    expect(states()).to.eql([]);
    // The name is free for another folder.
    expect((await mountAt('a/project')).name).to.equal('project');
  });

  it('are looked at for what has changed', async () => {
    await own.plant('a', 'b', 'sub/c');
    await own.mount();
    for (const path of ['a', 'b', 'sub/c']) await own.read(uriOf(path));
    await own.save('a', 'text');
    await own.remove('sub/c');
    await own.disk.control.refresh();
    const changed = own.changes.map(({ uri }) => uri);
    expect(changed).to.include.members(['a', 'sub/c'].map(uriOf));
    expect(changed).not.to.include(uriOf('b'));
    await own.listed();
    own.changes.length = 0;
    await own.plant('sub/d');
    await own.disk.control.refresh();
    // Unless the browser has reported it already.
    expect(own.changes.some(({ listChanged }) => listChanged)).to.equal(true);
    expect(await own.listed()).to.include(uriOf('sub/d'));
  });

  for (const first of ['a look', 'a list', 'a read'])
    it(`are gone, as ${first} notices, and come back`, async () => {
      await own.plant('sub/a');
      await mountAt('sub');
      const state = async () =>
        (await own.list(undefined, 1)).resources[0]!._meta!['io.github.inpage-mcp/folder'];
      expect(await state()).to.eql({ state: 'ready', write: false, guests: false });
      await own.remove('sub');
      own.changes.length = 0;
      if (first === 'a list') expect(await own.listed()).to.eql(['disk:///sub/']);
      if (first === 'a read') expect(await own.read('disk:///sub/')).to.equal(undefined);
      if (first !== 'a look') expect(states()).to.eql(['sub gone']);
      expect((await own.disk.control.refresh())[0]).to.include({ state: 'gone' });
      expect(states()).to.eql(['sub gone']);
      expect(own.changes).to.deep.include({ ...root, uri: 'disk:///sub/' });
      expect(await own.listed()).to.eql(['disk:///sub/']);
      expect(await state()).to.include({ state: 'gone' });
      expect((await own.readFolder('disk:///')).children[0]).to.include({ state: 'gone' });
      const count = own.reports.length;
      await own.disk.control.refresh();
      expect(own.reports).to.have.length(count);
      await own.plant('sub/b');
      await own.disk.control.refresh();
      expect(states()).to.eql(['sub ready']);
      expect(await own.listed()).to.eql(['disk:///sub/', 'disk:///sub/b']);
    });
});

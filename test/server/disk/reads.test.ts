import { expect } from '@esm-bundle/chai';
import { MAX_COPIED_BYTES } from '../../../packages/server/src/disk/snapshot.js';
import { describeDisk, foldersListed, uriOf, useDisk } from '../../support/disk.js';

describeDisk('a read on the disk', () => {
  const own = useDisk();

  it('gives the bytes of a file, its type by our own table, and its date', async () => {
    await own.save('a.ts', 'let a;');
    await own.plant('b');
    await own.mount();
    const script = (await own.contentOf(uriOf('a.ts')))!;
    expect(await script.blob!.text()).to.equal('let a;');
    expect(script.mimeType).to.match(/typescript/);
    const facts = { size: 6, annotations: { lastModified: await own.dateOf('a.ts') } };
    const meta = { title: 'project/a.ts', ...facts };
    expect(script._meta!['io.github.inpage-mcp/resource']).to.eql(meta);
    const { resources } = await own.list('project/', 9);
    expect(resources[0]).to.deep.include({ ...facts, mimeType: script.mimeType });
    expect(resources[1]).to.include({ mimeType: 'application/octet-stream', size: 0 });
  });

  it('does not say how much there is that the connection may not see', async () => {
    await own.plant('a', 'b', 'c/d');
    await own.mount({ guests: true });
    await own.mount({ name: 'secret' }, await own.folderAt('c'));
    const all = await own.readFolder('disk:///', own.guest('disk:///'));
    const children = [{ name: 'project/', uri: uriOf(''), state: 'ready' }];
    expect(all).to.eql({ total: 1, children });
    expect((await own.readFolder('disk:///')).total).to.equal(2);
    const guest = own.guest(`${uriOf('')}?`, uriOf('c/'));
    const part = await own.readFolder(`${uriOf('')}?from=1`, guest);
    expect(part).to.eql({ children: [{ name: 'c/', uri: uriOf('c/') }] });
    expect(await own.readFolder(`${uriOf('')}?from=9`, guest)).to.eql({ children: [] });
    expect(await own.readFolder(uriOf('c/'), guest)).to.have.property('total', 1);
  });

  it('never fails because the file is saved at that moment, and gives no half of one', async () => {
    const texts = [0, 1, 60_000, 200_000, 7].map((size) => String(size).repeat(size));
    await own.save('hot', '');
    await own.mount();
    const progress = { isDone: false };
    const saving = (async () => {
      for (let round = 0; round < 8; round += 1)
        for (const text of texts) await own.save('hot', text);
      progress.isDone = true;
    })();
    let reads = 0;
    for (; !progress.isDone; reads += 1) {
      const text = await own.read(uriOf('hot'));
      expect(texts.includes(text!), `${text?.length} characters`).to.equal(true);
    }
    await saving;
    expect(reads).to.be.above(10);
    // Each of them is rare in one browser or another.
    const { prototype } = FileSystemFileHandle;
    const { getFile } = prototype;
    for (const name of ['NotReadableError', 'NotFoundError', 'AbortError']) {
      prototype.getFile = async function () {
        prototype.getFile = getFile;
        throw new DOMException('', name);
      };
      expect(await own.read(uriOf('hot')), name).to.equal(texts.at(-1));
    }
  });

  it(`copies files of up to ${MAX_COPIED_BYTES} bytes, which a later save cannot spoil`, async () => {
    await own.mount();
    const bytesOf = async () => (await own.contentOf(uriOf('a')))!.blob!;
    await own.save('a', new Uint8Array(MAX_COPIED_BYTES).fill(1));
    const copy = await bytesOf();
    await own.save('a', new Uint8Array(MAX_COPIED_BYTES + 1).fill(2));
    const large = await bytesOf();
    expect(await large.slice(MAX_COPIED_BYTES).text()).to.equal('\u0002');
    await own.save('a', 'other');
    expect(new Set(new Uint8Array(await copy.arrayBuffer()))).to.eql(new Set([1]));
    // It is not copied: the browser does not read it any more.
    expect(await large.arrayBuffer().catch(() => undefined)).to.equal(undefined);
  });
});

describeDisk('the completion of a path on the disk', () => {
  const own = useDisk();

  it('is an address, from a name that is typed as it is or encoded', async () => {
    await own.plant('ä b/c d.txt', 'ä b/c/', 'ä.txt', 'b');
    await own.mount({ name: 'my project' });
    const root = 'my%20project/';
    const folder = `${root}%C3%A4%20b/`;
    const cases: { [typed: string]: string[] } = {
      '': [root],
      'my p': [root],
      'my%20p': [root],
      'my project/': [`${root}b`, folder, `${root}%C3%A4.txt`],
      'my project/ä': [folder, `${root}%C3%A4.txt`],
      [`${root}%C3%A4%20`]: [folder],
      'my project/ä b/c': [`${folder}c/`, `${folder}c%20d.txt`],
      [`${folder}c%20`]: [`${folder}c%20d.txt`],
    };
    for (const typed of [
      'x',
      'my project/b/',
      'my project/../',
      'my project//',
      '%',
      '/',
      'my project/\ud800/',
    ])
      cases[typed] = [];
    for (const [typed, values] of Object.entries(cases)) {
      expect((await own.complete(typed)).values, typed).to.eql(values);
      const folders = values.filter((value) => value.endsWith('/')).map((one) => one.slice(0, -1));
      expect((await own.complete(typed, undefined, 'folder')).values, typed).to.eql(folders);
    }
  });

  it('is for a guest what it may read, and looks into no other folder', async () => {
    await own.plant('src/a', 'other/b', 'src.txt');
    await own.mount({ name: 'closed' }, await own.folderAt('other'));
    const guest = own.guest(uriOf('src/'), 'disk:///closed/');
    for (const [typed, values, folders] of [
      ['', ['project/'], []],
      ['project/', ['project/src/'], ['project']],
      ['project/src/', ['project/src/a'], ['src']],
      ['project/other/', [], []],
      ['closed/', [], []],
    ] as const) {
      await own.mount({ guests: true });
      const looked = await foldersListed(async () => {
        const { values: found, total } = await own.complete(typed, guest);
        expect({ found, total }, typed).to.eql({ found: values, total: values.length });
      });
      expect(looked, typed).to.eql(folders);
    }
  });
});

describeDisk('the search for names on the disk', () => {
  const own = useDisk();
  const paths = async (...search: Parameters<typeof own.search>) =>
    (await own.search(...search)).matches.map(({ path }) => path.replace('project/', ''));

  it('finds what has all words in its path, whatever their case and form', async () => {
    await own.plant('Notes/Plan B.md', 'Notes/b.txt', 'plan/x', 'cafe\u0301');
    await own.mount();
    expect(await paths('plan')).to.eql(['Notes/Plan B.md', 'plan', 'plan/x']);
    expect(await paths(' NOTES  b.')).to.eql(['Notes/Plan B.md', 'Notes/b.txt']);
    expect(await paths('notes plan .txt')).to.eql([]);
    expect(await paths('CAF\u00c9')).to.eql(['cafe\u0301']);
    const match = { path: 'project/Notes/Plan B.md', uri: uriOf('Notes/Plan B.md') };
    expect(await own.search('plan b')).to.eql({ matches: [match], isComplete: true });
  });

  it('stays in the folder that is named, and says whether it has found everything', async () => {
    await own.plant('a/x1', 'a/x2', 'b/x3', 'ab/x4', 'x5');
    await own.mount({ guests: true });
    const folder = uriOf('a/');
    const looked = await foldersListed(async () =>
      expect(await paths('x', { folder })).to.eql(['a/x1', 'a/x2']),
    );
    expect(looked).to.eql(['project', 'a']);
    expect(await paths('x', { folder: uriOf('none/') })).to.eql([]);
    const guest = own.guest(uriOf('b/'));
    expect(await paths('x', {}, guest)).to.eql(['b/x3']);
    expect(await paths('x', { folder }, guest)).to.eql([]);
    const found = await own.search('x', { limit: 3 });
    expect(found.matches).to.have.length(3);
    expect(found.isComplete).to.equal(false);
  });
});

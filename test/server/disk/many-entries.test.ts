import { expect } from '@esm-bundle/chai';
import { MAX_CHILDREN } from '../../../packages/server/src/disk/folder-pages.js';
import { MAX_SORTED } from '../../../packages/server/src/disk/mounted-folder.js';
import { failureOf } from '../../support/failure.js';
import { describeDisk, EVERYTHING, uriOf, useDisk } from '../../support/disk.js';

const FOLDER = uriOf('flat/');

describeDisk('a folder of the disk with many entries', () => {
  const own = useDisk();
  const { prototype } = FileSystemDirectoryHandle;
  const { values } = prototype;
  let count: number;
  const names = () => Array.from({ length: count }, (_, index) => `${index}`);
  const namesIn = async (uri: string) =>
    (await own.readFolder(uri)).children.map(({ name }) => name);

  // Only the entries are not real: it takes a browser up to a minute to create so many.
  beforeEach(async () => {
    await own.plant('flat/', 'z');
    prototype.values = function (this: FileSystemDirectoryHandle) {
      if (this.name !== 'flat') return values.call(this);
      // Those that are left out do not count.
      const entries = ['.hidden', ...names()].map((name) => ({ name, kind: 'file' }));
      return entries.values() as never;
    };
  });

  afterEach(() => {
    prototype.values = values;
  });

  it(`is read at once with ${MAX_CHILDREN} of them, and with more by pages`, async () => {
    count = MAX_CHILDREN;
    await own.mount();
    const whole = await own.readFolder(FOLDER);
    expect(whole.children.map(({ name }) => name)).to.eql(names().toSorted());
    expect(whole).to.have.property('total', count);
    expect(whole).not.to.have.property('next');
    count += 1;
    await own.disk.control.refresh();
    const first = await own.readFolder(FOLDER);
    expect(first).to.include({ total: count, next: `${FOLDER}?from=${MAX_CHILDREN}` });
    const rest = { total: count, children: [{ name: '999', uri: `${FOLDER}999` }] };
    expect(await own.readFolder(first.next!)).to.eql(rest);
    expect(await namesIn(`${FOLDER}?from=9999`)).to.eql([]);
  });

  it('gives a hundred of them as completions, and says how many there are', async () => {
    count = 111;
    await own.mount();
    const found = await own.complete('project/flat/');
    expect(found.values).to.have.length(100);
    expect(found.total).to.equal(count);
    expect((await own.complete('project/flat/10')).values).to.have.length(11);
  });

  it('is searched with progress, until the call is aborted', async () => {
    count = 1_000;
    await own.mount();
    const seen: number[] = [];
    const controller = new AbortController();
    const search = (progress: (number: number) => void) =>
      own.search('none', {}, EVERYTHING, { signal: controller.signal, progress });
    await search((number) => seen.push(number));
    expect(seen).to.eql([500, 1_000]);
    const failure = await failureOf(search(() => controller.abort(new Error('enough'))));
    expect(failure).to.have.property('message', 'enough');
  });

  it(`is listed, found and sorted with ${MAX_SORTED} of them`, async () => {
    count = MAX_SORTED;
    await own.mount();
    const page = await own.list('project/', 3);
    expect(page.resources.map(({ uri }) => uri)).to.eql([FOLDER, `${FOLDER}0`, `${FOLDER}1`]);
    const matches = [{ path: 'project/flat/9999', uri: `${FOLDER}9999` }];
    expect(await own.search('9999')).to.eql({ matches, isComplete: true });
    expect(await own.readFolder(FOLDER)).to.include({ total: count });
  });

  it('is listed alone with one more, and read by pages', async () => {
    count = MAX_SORTED + 1;
    await own.mount({ ignore: ['7'] });
    expect(await own.listed()).to.eql(['', 'flat/', 'z'].map(uriOf));
    // It has not looked everywhere.
    expect(await own.search('9999')).to.eql({ matches: [], isComplete: false });
    const seen: string[] = [];
    for (let uri: string | undefined = FOLDER; uri !== undefined;) {
      const page = await own.readFolder(uri);
      expect(page).not.to.have.property('total');
      seen.push(...page.children.map(({ name }) => name));
      uri = page.next;
    }
    expect(seen).to.eql(names().filter((name) => name !== '7'));
    expect(await namesIn(`${FOLDER}?from=9001`)).to.eql(seen.slice(9_001));
    expect(await namesIn(`${FOLDER}?from=2000`)).to.eql(seen.slice(2_000, 3_000));
    // One of them is left out, so that the last page is full.
    count = MAX_SORTED + MAX_CHILDREN + 1;
    const last = await own.readFolder(`${FOLDER}?from=${MAX_SORTED}`);
    expect(last.children).to.have.length(MAX_CHILDREN);
    expect(last).not.to.have.property('next');
  });

  it('is no longer read when the call is aborted', async () => {
    count = MAX_SORTED + 1;
    await own.mount();
    const controller = new AbortController();
    const { signal } = controller;
    let seen = 0;
    const { values: all } = prototype;
    prototype.values = async function* (this: FileSystemDirectoryHandle) {
      for await (const entry of all.call(this)) {
        seen += 1;
        // The first time, it is read to be sorted.
        if (seen === MAX_SORTED + 1_000) controller.abort(new Error('enough'));
        yield entry;
      }
    } as never;
    const read = own.contentOf(`${FOLDER}?from=9001`, EVERYTHING, { signal });
    expect(await failureOf(read)).to.have.property('message', 'enough');
    expect(seen).to.be.below(MAX_SORTED + 2_000);
  });
});

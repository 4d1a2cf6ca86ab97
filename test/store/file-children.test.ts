import { expect } from '@esm-bundle/chai';
import { MAX_PAGE, MAX_PATH_BYTES } from '@inpage-mcp/store';
import { putRecords } from '../support/database.js';
import { codeOf, useStore } from './store-under-test.js';

const paths = [
  'a',
  'a-b',
  'a/b',
  'a/b/c',
  'a/b/d/e',
  'a/c',
  'a0',
  'phone.txt',
  'photos/2023/x',
  'photos/2024/x',
  'photos/2024/y',
  'photos/20th',
  'photos/z',
  'é/ü',
  '😀',
  '\uffff\uffff',
];

/** The definition, by looking at every path. */
function childrenOf(all: readonly string[], prefix: string): string[] {
  const children = all
    .filter((path) => path.startsWith(prefix))
    .map((path) => {
      const slash = path.indexOf('/', prefix.length);
      return slash === -1 ? path : path.slice(0, slash + 1);
    });
  // Sorts by code units.
  return [...new Set(children)].toSorted();
}

describe('completing a path', () => {
  const test = useStore();

  /** Records without bytes, put there at once: writing thousands of files takes long. */
  const fill = (all: readonly string[]): Promise<void> =>
    putRecords(
      test.name,
      'files',
      all.map((path) => ({ path })),
    );

  const examples: [prefix: string, names: string[]][] = [
    ['', ['a', 'a-b', 'a/', 'a0', 'phone.txt', 'photos/', 'é/', '😀', '\uffff\uffff']],
    ['a', ['a', 'a-b', 'a/', 'a0']],
    ['a/', ['a/b', 'a/b/', 'a/c']],
    ['a/b', ['a/b', 'a/b/']],
    ['a/b/', ['a/b/c', 'a/b/d/']],
    ['pho', ['phone.txt', 'photos/']],
    ['photos', ['photos/']],
    ['photos/', ['photos/2023/', 'photos/2024/', 'photos/20th', 'photos/z']],
    ['photos/20', ['photos/2023/', 'photos/2024/', 'photos/20th']],
    ['photos/2024/x', ['photos/2024/x']],
    ['photos/2024/x/', []],
    ['é', ['é/']],
    ['\ud83d', ['😀']],
    ['\uffff', ['\uffff\uffff']],
    ['/', []],
    ['a//', []],
    ['z', []],
  ];
  for (const [prefix, names] of examples) {
    it(`leads from ${JSON.stringify(prefix)} to ${names.length} names`, async () => {
      await fill(paths);
      const children = await test.store.files.children(prefix);
      expect(children).to.deep.equal({ names, total: names.length });
    });
  }

  it('is what looking at every path would give, for every beginning of every path', async () => {
    const names = ['', 'a', 'b', '-', '0'];
    const all = names.flatMap((a) =>
      names.flatMap((b) => names.map((c) => [a, b, c].filter((name) => name !== '').join('/'))),
    );
    const stored = [...new Set(all)].filter((path) => path !== '');
    await fill(stored);
    const beginnings = new Set(
      stored.flatMap((path) => Array.from({ length: path.length + 1 }, (_, i) => path.slice(0, i))),
    );
    for (const prefix of beginnings) {
      const expected = childrenOf(stored, prefix);
      const children = await test.store.files.children(prefix);
      expect(children, prefix).to.deep.equal({ names: expected, total: expected.length });
    }
  });

  it('gives as many names as asked for, and always the true total', async () => {
    const flat = Array.from({ length: 1_001 }, (_, index) => `file ${index}`);
    const deep = flat.map((path) => `folder/${path}`);
    await fill([...flat, ...deep, 'folder/x/y', 'last']);
    const expected = childrenOf([...flat, ...deep, 'last'], '');
    for (const limit of [1, 100, 1_002, 1_003, MAX_PAGE]) {
      const children = await test.store.files.children('', { limit });
      expect(children.names).to.deep.equal(expected.slice(0, limit));
      expect(children.total).to.equal(1_003);
    }
    expect((await test.store.files.children('')).names).to.have.length(100);
    expect((await test.store.files.children('folder/')).total).to.equal(1_002);
  });

  it('leaves a folder after its first files, and reads no records', async () => {
    const folders = ['a', 'b', 'c'].flatMap((folder) =>
      Array.from({ length: 2_000 }, (_, index) => `${folder}/\uffff${index}`),
    );
    await fill(folders);
    const { getAllKeys, getAll, get } = IDBObjectStore.prototype;
    let keys = 0;
    let records = 0;
    let counted = { keys, records };
    IDBObjectStore.prototype.getAllKeys = function watched(...args) {
      const request = getAllKeys.apply(this, args);
      request.addEventListener('success', () => {
        keys += request.result.length;
      });
      return request;
    };
    for (const [name, original] of Object.entries({ getAll, get })) {
      Object.assign(IDBObjectStore.prototype, {
        [name](this: IDBObjectStore, ...args: never[]) {
          if (this.name === 'files') records += 1;
          return Reflect.apply(original, this, args);
        },
      });
    }
    try {
      // The search index reads records a moment after a change: not while another has its lock.
      await navigator.locks.request(`inpage-mcp:${test.name}:search-index`, async () => {
        [keys, records] = [0, 0];
        const children = await test.store.files.children('');
        expect(children).to.deep.equal({ names: ['a/', 'b/', 'c/'], total: 3 });
        counted = { keys, records };
      });
    } finally {
      Object.assign(IDBObjectStore.prototype, { getAllKeys, getAll, get });
    }
    expect(counted.keys).to.be.within(3, 500);
    expect(counted.records).to.equal(0);
  });

  it('leads nowhere from a beginning longer than any path', async () => {
    const path = 'x'.repeat(MAX_PATH_BYTES);
    await test.store.files.write(path, new Blob([]));
    expect(await test.store.files.children(path)).to.deep.equal({ names: [path], total: 1 });
    const none = { names: [], total: 0 };
    expect(await test.store.files.children(`${path}x`)).to.deep.equal(none);
    expect(await test.store.files.children('x'.repeat(1_000_000))).to.deep.equal(none);
  });

  it('refuses what is no string, and limits out of bounds', async () => {
    const { files } = test.store;
    expect(await codeOf(files.children(null as never))).to.equal('invalid-argument');
    for (const limit of [0, 1.5, MAX_PAGE + 1]) {
      expect(await codeOf(files.children('', { limit }))).to.equal('invalid-argument');
    }
  });
});

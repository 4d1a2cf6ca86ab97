import { expect } from '@esm-bundle/chai';
// Internal to the package: who is notified of them is decided elsewhere.
import { Database } from '../../packages/store/src/database/database.js';
import { readRecords } from '../../packages/store/src/records/readable-records.js';
import type { UnreadableEntry } from '../../packages/store/src/schema/unreadable-entry.js';
import { answerOf, completionOf, putRecords } from '../support/database.js';
import { codeOf, useStore } from './store-under-test.js';
import { casesOf } from '../support/test-size.js';

const FILE = {
  mediaType: 'text/plain',
  size: 1,
  createdAt: 1,
  updatedAt: 1,
  revision: 1,
};
const NOTE = {
  title: 't',
  tags: [],
  firstLine: '',
  size: 0,
  createdAt: 1,
  updatedAt: 1,
  revision: 1,
};

/** A valid ULID for each number, ascending. */
const idOf = (index: number): string => `01HZZZZZZZ${String(index).padStart(16, '0')}`;

/** The directions in which `getAll` reads: WebKit reads backwards by a cursor, one by one. */
const DIRECTIONS = (['next', 'prev'] as const).filter(
  (direction) => direction === 'next' || 'getAllRecords' in IDBObjectStore.prototype,
);

/** What a request of a transaction fails with is the error of the transaction. */
function fail(transaction: IDBTransaction, name: string): never {
  const error = new DOMException('It failed.', name);
  Object.defineProperty(transaction, 'error', { value: error });
  throw error;
}

/**
 * While `run` runs, no request for several notes is answered that would read one of some keys, as
 * it is where the browser has lost a part of their values.
 */
async function withLost<Value>(
  keys: readonly string[],
  lost: ReadonlySet<string>,
  run: () => Promise<Value>,
): Promise<Value> {
  const { getAll } = IDBObjectStore.prototype;
  type Query = IDBKeyRange | null | { query: IDBKeyRange | null; count: number };
  IDBObjectStore.prototype.getAll = function failing(query?: unknown, count?: number) {
    if (this.name !== 'notes') return getAll.call(this, query as IDBKeyRange, count);
    const options = query as Query;
    const isDirected = options !== null && 'query' in options;
    const range = isDirected ? options.query : options;
    const inRange = keys.filter((key) => !range || range.includes(key));
    const ordered = isDirected ? inRange.toReversed() : inRange;
    const asked = ordered.slice(0, isDirected ? options.count : count);
    if (asked.some((key) => lost.has(key))) fail(this.transaction, 'DataError');
    return getAll.call(this, query as IDBKeyRange, count);
  };
  try {
    return await run();
  } finally {
    IDBObjectStore.prototype.getAll = getAll;
  }
}

describe('records that cannot be read', () => {
  const test = useStore();
  let reports: UnreadableEntry[][];
  let database: Database;

  beforeEach(() => {
    reports = [];
    database = new Database(test.name, {
      opened: () => undefined,
      newerVersion: () => undefined,
      unreadable: (entries) => reports.push([...entries]),
    });
  });

  afterEach(() => database.close());

  const bad: [name: string, change: object][] = [
    ['no media type', { mediaType: undefined }],
    ['a size that is no number', { size: '1' }],
    ['a negative size', { size: -1 }],
    ['half a revision', { revision: 0.5 }],
    ['no time', { updatedAt: Number.NaN }],
    ['a digest that is no string', { digest: 7 }],
    ['an audience that is no array', { audience: 'user' }],
    ['a priority that is no number', { priority: 'high' }],
  ];
  for (const [name, change] of bad) {
    it(`are skipped in a list of files: ${name}`, async () => {
      const good = ['a', 'c'].map((path) => ({ ...FILE, path }));
      await putRecords(test.name, 'files', [...good, { ...FILE, ...change, path: 'b' }]);
      expect((await test.store.files.list()).files).to.deep.equal(good);
      const query = { store: 'files', ranges: [null], count: 9, direction: 'next' } as const;
      expect(await readRecords(database, query)).to.deep.equal(good);
      expect(reports).to.deep.equal([[{ kind: 'file', key: 'b' }]]);
      await readRecords(database, query);
      expect(reports).to.have.length(1);
    });
  }

  const badNotes: [name: string, change: object][] = [
    ['no title', { title: undefined }],
    ['tags that are no strings', { tags: [1] }],
    ['no first line', { firstLine: null }],
  ];
  for (const [name, change] of badNotes) {
    it(`are skipped in a list of notes: ${name}`, async () => {
      const notes = [0, 1, 2, 3].map((index) => ({ ...NOTE, id: idOf(index) }));
      await putRecords(test.name, 'notes', [{ ...notes[0], ...change }, ...notes.slice(1)]);
      const list = (limit: number, after?: string) => test.store.notes.list({ limit, after });
      const expected = notes.slice(1).toReversed();
      expect((await list(9)).notes).to.deep.equal(expected);
      expect(await list(3)).to.deep.equal({ notes: expected });
      const summaries = [];
      for await (const page of test.store.notes.summaries()) summaries.push(...page);
      expect(summaries).to.deep.equal(expected);
      const scoped = test.store.within(() => ({
        notes: new Set(notes.map(({ id }) => id)),
        files: 'all',
      }));
      expect((await scoped.notes.list()).notes).to.deep.equal(expected);
    });
  }

  it('do not end the pages of a list, wherever they are', async () => {
    const records = Array.from({ length: 30 }, (_, index) => ({
      ...FILE,
      path: `f/${String(index).padStart(2, '0')}`,
      ...(index % 3 === 0 && { size: null }),
    }));
    await putRecords(test.name, 'files', records);
    const good = records.filter(({ size }) => size === 1);
    for (const limit of [1, 2, 3, 19, 20, 21]) {
      const found = [];
      let after: string | undefined;
      do {
        const page = await test.store.files.list({ limit, ...(after !== undefined && { after }) });
        found.push(...page.files);
        after = page.next;
      } while (after !== undefined);
      expect(found).to.deep.equal(good);
    }
    const paths = new Set(['f/00', 'f/01', 'f/04']);
    const part = test.store.within(() => ({ notes: 'all', files: { paths, folders: new Set() } }));
    const { files } = await part.files.list();
    expect(files.map(({ path }) => path)).to.deep.equal(['f/01', 'f/04']);
  });

  const names = Array.from({ length: 20 }, (_, index) => idOf(index));
  const losses: [name: string, lost: number[]][] = [
    ['one in the middle', [10]],
    ['the first and the last', [0, 19]],
    ['several side by side', [7, 8, 9, 10]],
    ['every other one', names.flatMap((_, index) => (index % 2 === 0 ? [index] : []))],
    ['all of them', names.map((_, index) => index)],
  ];
  for (const [name, indices] of casesOf(losses, 2)) {
    it(`and make the whole request fail are found out one by one: ${name}`, async () => {
      await putRecords(
        test.name,
        'notes',
        names.map((id) => ({ ...NOTE, id })),
      );
      const lost = new Set(indices.map((index) => names[index]!));
      const readable = names.filter((id) => !lost.has(id));
      const bounded = IDBKeyRange.bound(names[5], names[15], false, true);
      const isBounded = (id: string): boolean => id >= names[5]! && id < names[15]!;
      await withLost(names, lost, async () => {
        for (const direction of DIRECTIONS) {
          const read = async (range: IDBKeyRange | null, count: number): Promise<string[]> => {
            const query = { store: 'notes', ranges: [range], count, direction } as const;
            return (await readRecords(database, query)).map(({ id }) => id);
          };
          const ordered = direction === 'next' ? readable : readable.toReversed();
          for (const count of [1, 5, 20, 21]) {
            expect(await read(null, count)).to.deep.equal(ordered.slice(0, count));
            const within = ordered.filter(isBounded);
            expect(await read(bounded, count)).to.deep.equal(within.slice(0, count));
          }
        }
      });
      const keys = reports.flat().map(({ kind, key }) => `${kind} ${key}`);
      expect(keys).to.have.members([...lost].map((id) => `note ${id}`));
    });
  }

  it('are no excuse for anything else that fails', async () => {
    await putRecords(test.name, 'notes', [{ ...NOTE, id: idOf(0) }]);
    const { getAll, openCursor } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.getAll = function failing(...args) {
      if (this.name !== 'notes') return getAll.apply(this, args);
      fail(this.transaction, 'QuotaExceededError');
    };
    IDBObjectStore.prototype.openCursor = function failing(...args) {
      if (this.name !== 'notes') return openCursor.apply(this, args);
      fail(this.transaction, 'QuotaExceededError');
    };
    try {
      expect(await codeOf(test.store.notes.list())).to.equal('quota-exceeded');
    } finally {
      Object.assign(IDBObjectStore.prototype, { getAll, openCursor });
    }
  });

  it('are refused when they are asked for by name, and can be replaced and deleted', async () => {
    const { files, notes } = test.store;
    await putRecords(test.name, 'files', [{ path: 'a' }, { path: 'b' }, { path: 'c' }]);
    await putRecords(test.name, 'notes', [{ id: idOf(0) }]);
    const calls = [
      files.get('a'),
      files.read('a'),
      files.verify('a'),
      files.update('a', { priority: 1 }),
      files.move('a', 'z'),
    ];
    const codes = await Promise.all(calls.map(codeOf));
    expect(new Set(codes)).to.deep.equal(new Set(['unreadable']));
    expect(await codeOf(files.write('a', new Blob([]), { expectedRevision: 3 }))).to.equal(
      'conflict',
    );
    expect(await files.write('a', new Blob(['x']))).to.include({ size: 1, revision: 1 });
    expect(test.changes.at(-1)).to.include({ key: 'a', type: 'updated' });
    await files.delete('b');
    expect(await codeOf(files.get('b'))).to.equal('not-found');
    expect(await codeOf(files.move('a', 'c'))).to.equal('conflict');
    expect(await files.move('a', 'c', { overwrite: true })).to.include({ path: 'c' });
    expect((await files.list()).files.map(({ path }) => path)).to.deep.equal(['c']);

    const open = await answerOf(indexedDB.open(test.name));
    const transaction = open.transaction('note-texts', 'readwrite');
    transaction.objectStore('note-texts').put('text', idOf(0));
    await completionOf(transaction);
    open.close();
    expect(await codeOf(notes.get(idOf(0)))).to.equal('unreadable');
    await notes.delete(idOf(0));
    expect(await codeOf(notes.get(idOf(0)))).to.equal('not-found');
  });
});

import { expect } from '@esm-bundle/chai';
// Internal to the package: what the store does by itself some time after the start.
import { ReservedSpace } from '../../packages/store/src/database/reserved-space.js';
import { Database } from '../../packages/store/src/database/database.js';
import { removeAbandoned } from '../../packages/store/src/files/file-uploads.js';
import { resetIndex } from '../../packages/store/src/search/reset-index.js';
import { toStoreError } from '../../packages/store/src/errors/store-error.js';
import { clearRecords } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { everyWrite, prepare } from './every-write.js';
import { markedBlob, PIECE } from './marked-blob.js';
import { useStore } from './store-under-test.js';
import { isWebKit } from '../support/engine.js';

/** The store that all writes have to name, so that no two of them are live at one moment. */
const COMMON = 'head';

describe('a transaction that writes', () => {
  const test = useStore();
  let database: Database;

  beforeEach(() => {
    database = new Database(test.name);
  });

  afterEach(() => database.close());

  /** The object stores of each transaction that writes while `run` runs. */
  async function scopesOf(run: () => Promise<unknown>): Promise<string[][]> {
    const scopes: string[][] = [];
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function observed(...args) {
      const begun = transaction.apply(this, args);
      if (begun.mode === 'readwrite') scopes.push([...begun.objectStoreNames]);
      return begun;
    };
    try {
      await run();
    } finally {
      IDBDatabase.prototype.transaction = transaction;
    }
    return scopes;
  }

  const large = (options = {}) =>
    test.store.files.write('large', markedBlob(PIECE + 1), { idempotencyKey: 'large', ...options });

  const others: [name: string, writes: number, run: () => Promise<unknown>][] = [
    ['an upload', 4, () => large()],
    [
      'an upload that is cancelled',
      3,
      () => {
        const controller = new AbortController();
        const onProgress = (done: number) => done === PIECE && controller.abort();
        return failureOf(large({ signal: controller.signal, onProgress }));
      },
    ],
    [
      'the removal of an upload that was given up',
      2,
      async () => {
        await database.run(['uploads'], 'readwrite', (transaction) =>
          transaction.objectStore('uploads').put(0, 'given up'),
        );
        await removeAbandoned(database);
      },
    ],
    [
      'a deletion where there is no room',
      6,
      async () => {
        const cause = new DOMException('', 'QuotaExceededError');
        const refuse = () => Promise.reject(toStoreError(cause));
        await failureOf(new ReservedSpace(database, database.blobs).runDeletion(refuse, undefined));
      },
    ],
    ['indexing', 1, () => test.store.updateIndex()],
    ['a reset of the search index', 1, () => resetIndex(database, undefined)],
    ['several notes at once', 1, () => test.store.notes.createAll([{ title: 'a', text: '' }])],
    [
      'an import',
      4,
      async () => {
        const zip = await new Response(test.store.exportZip()).blob();
        await test.store.clear();
        await test.store.importZip(zip);
      },
    ],
    ['clearing', 1, () => test.store.clear()],
    [
      'what finds out anew where the database stands',
      1,
      async () => {
        await clearRecords(test.name, 'head');
        await new Database(test.name).open();
      },
    ],
  ];
  const cases = [
    ...everyWrite.map(
      ({ name, run }) => [name, 1, (id: string) => run(test.store, id, {})] as const,
    ),
    ...others,
  ];
  for (const [name, writes, run] of cases) {
    it(`names the store that all of them name: ${name}`, async () => {
      const id = await prepare(test.store);
      const scopes = await scopesOf(() => run(id));
      expect(scopes).to.have.length.of.at.least(writes);
      for (const scope of scopes) expect(scope).to.include(COMMON);
    });
  }

  it('waits for one of another tab that has nothing else in common with it', async () => {
    const other = new Database(test.name);
    await other.open();
    const events: string[] = [];
    let reads = 0;
    let releaseAfter = Number.POSITIVE_INFINITY;
    let begun!: () => void;
    const whenBegun = new Promise<void>((resolve) => (begun = resolve));
    const first = database.run(['uploads'], 'readwrite', async (transaction) => {
      begun();
      for (; reads < releaseAfter; reads++) await transaction.objectStore('uploads').count();
      events.push('first');
    });
    await whenBegun;
    // By then it would have been answered, did it not have to wait.
    const releaseSoon = (): void => void (releaseAfter = reads + 100);
    const second = other.run(['ballast'], 'readwrite', async (transaction) => {
      releaseSoon();
      await transaction.objectStore('ballast').count();
      events.push('second');
    });
    // It does not even begin there.
    if (isWebKit) releaseSoon();
    await Promise.all([first, second]);
    other.close();
    expect(events).to.deep.equal(['first', 'second']);
  });
});

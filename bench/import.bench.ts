import { type NewNote, openStore } from '@inpage-mcp/store';
import { answerOf } from './databases.js';
import { measure, must, type Candidate, type Results } from './measure.js';

const ROUNDS = 7;
const NOTES = 10_000;
/** How many notes the baselines put into one transaction. */
const BATCH = 1_000;

const TEXT = `# A note\n\n${'Some words that fill a line of a note. '.repeat(12)}`;

/** What many new notes cost in one call, above putting as many records and texts by hand. */
export async function run(): Promise<Results> {
  const baseline = 'bare puts, 1,000 a strict transaction';
  const candidates = [
    bare(baseline, 'strict'),
    bare('bare puts, 1,000 a relaxed transaction', 'relaxed'),
    ownCall('notes.createAll of 10,000'),
  ];
  return { name: 'import', baseline, rows: await measure(candidates, { rounds: ROUNDS }) };
}

/** Record and text in two stores, as ours, and nothing besides: no check, no journal, no retry. */
function bare(row: string, durability: IDBTransactionDurability): Candidate {
  const name = `import-bare-${durability}`;
  return async () => {
    const opening = indexedDB.open(name);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('notes', { keyPath: 'id' });
      opening.result.createObjectStore('note-texts');
    };
    const database = await answerOf(opening);
    const start = performance.now();
    for (let first = 0; first < NOTES; first += BATCH) {
      const transaction = database.transaction(['notes', 'note-texts'], 'readwrite', {
        durability,
      });
      const notes = transaction.objectStore('notes');
      const texts = transaction.objectStore('note-texts');
      for (let index = first; index < first + BATCH; index++) {
        const id = `01HZZZZZZZ${String(index).padStart(16, '0')}`;
        notes.put({ id, ...noteOf(index), ...REST_OF_RECORD });
        texts.put(TEXT, id);
      }
      await completionOf(transaction);
    }
    const ms = performance.now() - start;
    const count = await answerOf(database.transaction('notes').objectStore('notes').count());
    must(count === NOTES, 'not every note is there');
    database.close();
    await answerOf(indexedDB.deleteDatabase(name));
    return { [row]: ms };
  };
}

const REST_OF_RECORD = {
  firstLine: 'A note',
  size: TEXT.length,
  createdAt: Date.now(),
  updatedAt: Date.now(),
  revision: 1,
};

function ownCall(row: string): Candidate {
  const name = 'import-own';
  const notes: NewNote[] = Array.from({ length: NOTES }, (_, index) => ({
    ...noteOf(index),
    text: TEXT,
  }));
  return async () => {
    const store = await openStore(name);
    const start = performance.now();
    const created = await store.notes.createAll(notes);
    const ms = performance.now() - start;
    must(new Set(created.map(({ id }) => id)).size === NOTES, 'not every note has an id');
    must((await store.notes.count()) === NOTES, 'not every note is there');
    store.close();
    await answerOf(indexedDB.deleteDatabase(name));
    return { [row]: ms };
  };
}

function noteOf(index: number): { title: string; tags: string[] } {
  return { title: `Note ${index} about something`, tags: ['bench'] };
}

function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

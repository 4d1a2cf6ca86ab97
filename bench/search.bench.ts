import { type NewNote, openStore, type Store } from '@inpage-mcp/store';
import MiniSearch from 'minisearch';
import { answerOf } from './databases.js';
import { measure, must, timed, type Candidate, type Results, type Row } from './measure.js';
import { makeNotes, makeVocabulary } from './notes-of-words.js';

const ROUNDS = 20;
const NOTES = 10_000;
const MANY_NOTES = 100_000;
/** The most that the store takes at once. */
const CREATED_AT_ONCE = 10_000;
const LIMIT = 20;

/** What is looked for, by the ranks of its words among all. */
const QUERIES: [name: string, query: (vocabulary: readonly string[]) => string][] = [
  ['frequent word', (words) => words[2]!],
  ['word', (words) => words[300]!],
  ['rare word', (words) => words[15_000]!],
  ['two words', (words) => `${words[40]} ${words[90]}`],
  ['beginning of two letters', (words) => words[500]!.slice(0, 2)],
  ['beginning of three letters', (words) => words[500]!.slice(0, 3)],
];

const MINISEARCH_OPTIONS = {
  fields: ['title', 'tags', 'text'],
  searchOptions: { prefix: true, combineWith: 'AND' as const, boost: { title: 4, tags: 2 } },
};

interface IdentifiedNote extends NewNote {
  id: string;
}

/** What the index in the database costs, and saves, against one in memory and one of the browser's. */
export async function run(): Promise<Results> {
  const vocabulary = makeVocabulary();
  const made = makeNotes(NOTES, vocabulary, 2);
  const rows: Row[] = [];
  const once = async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    const start = performance.now();
    const value = await work();
    const ms = performance.now() - start;
    rows.push({ name, medianMs: ms, lowerQuartileMs: ms, upperQuartileMs: ms });
    return value;
  };
  const remarks: string[] = [];
  const weigh = async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    const before = await usage();
    const value = await work();
    remarks.push(`${name}: ${(((await usage()) - before) / 1e6).toFixed(1)} MB on disk`);
    return value;
  };

  const store = await openStore('search');
  const created = await weigh('10,000 notes', () => store.notes.createAll(made));
  await weigh('our index of 10,000', () => once('ours: build', () => store.updateIndex()));
  const notes = made.map((note, index) => ({ ...note, id: created[index]!.id }));
  const mini = await once('minisearch: build', async () => miniSearchOf(notes));
  const json = JSON.stringify(mini);
  remarks.push(`minisearch of 10,000: ${(json.length / 1e6).toFixed(1)} MB of JSON`);
  const multi = await weigh('multi-entry index of 10,000', () =>
    once('multi-entry: build', () => makeMultiEntry(notes)),
  );

  const large = await openStore('search-many');
  await weigh('100,000 notes', () => createMany(large, vocabulary));
  await weigh('our index of 100,000', () =>
    once('ours, 100,000: build', () => large.updateIndex()),
  );

  const candidates: Candidate[] = [
    ...QUERIES.flatMap(([name, queryOf]) => {
      const query = queryOf(vocabulary);
      return [
        timed(`ours: ${name}`, () => searchOurs(store, query), { times: 3 }),
        timed(`minisearch: ${name}`, () => searchMini(mini, query), { times: 3 }),
        timed(`minisearch and reading: ${name}`, () => searchMiniAndRead(mini, query), {
          times: 3,
        }),
        timed(`multi-entry: ${name}`, () => searchMultiEntry(multi, query), { times: 3 }),
        timed(`ours, 100,000: ${name}`, () => searchOurs(large, query), { times: 3 }),
      ];
    }),
    timed('ours: open and search', async () => {
      const opened = await openStore('search');
      await searchOurs(opened, vocabulary[300]!);
      opened.close();
    }),
    timed('ours, 100,000: open and search', async () => {
      const opened = await openStore('search-many');
      await searchOurs(opened, vocabulary[300]!);
      opened.close();
    }),
    timed('minisearch: load and search', async () =>
      searchMini(MiniSearch.loadJSON(json, MINISEARCH_OPTIONS), vocabulary[300]!),
    ),
  ];
  rows.push(...(await measure(candidates, { rounds: ROUNDS })));
  // By themselves: after an update the index has something to do.
  rows.push(...(await measure(await updateCandidates(store, notes), { rounds: ROUNDS })));
  return {
    name: 'search',
    baseline: 'minisearch: word',
    rows,
    comparisons: [
      ...QUERIES.map(([name]): [string, string] => [`ours: ${name}`, `minisearch: ${name}`]),
      ...QUERIES.map(([name]): [string, string] => [
        `ours: ${name}`,
        `minisearch and reading: ${name}`,
      ]),
      ...QUERIES.map(([name]): [string, string] => [`ours: ${name}`, `multi-entry: ${name}`]),
      ['ours: open and search', 'minisearch: load and search'],
      ['ours: update', 'bare update'],
    ],
    remarks,
  };
}

async function createMany(store: Store, vocabulary: readonly string[]): Promise<void> {
  for (let created = 0; created < MANY_NOTES; created += CREATED_AT_ONCE) {
    await store.notes.createAll(makeNotes(CREATED_AT_ONCE, vocabulary, 3 + created));
  }
}

async function searchOurs(store: Store, query: string): Promise<void> {
  const { matches } = await store.notes.search(query, { limit: LIMIT });
  must(matches.length > 0, `nothing was found for ${query}`);
}

function miniSearchOf(notes: readonly IdentifiedNote[]): MiniSearch {
  const mini = new MiniSearch(MINISEARCH_OPTIONS);
  mini.addAll(notes.map(({ tags = [], ...note }) => ({ ...note, tags: tags.join(' ') })));
  return mini;
}

/** The best ids: without excerpts, and without the notes themselves. */
async function searchMini(mini: MiniSearch, query: string): Promise<string[]> {
  const found = mini.search(query).slice(0, LIMIT);
  must(found.length > 0, `minisearch found nothing for ${query}`);
  return found.map(({ id }) => String(id));
}

/** What an app has to do besides, to show what ours gives back: read the notes and their texts. */
async function searchMiniAndRead(mini: MiniSearch, query: string): Promise<void> {
  await readNotes(await searchMini(mini, query));
}

async function readNotes(ids: readonly string[]): Promise<void> {
  const database = await bareDatabase();
  const transaction = database.transaction(['notes', 'note-texts']);
  const read = await Promise.all(
    ids.flatMap((id) => [
      answerOf(transaction.objectStore('notes').get(id)),
      answerOf(transaction.objectStore('note-texts').get(id)),
    ]),
  );
  must(
    read.every((value) => value !== undefined),
    'a note is missing',
  );
}

let bare: Promise<IDBDatabase> | undefined;

/** A connection to the same database, without any code of ours. */
function bareDatabase(): Promise<IDBDatabase> {
  bare ??= answerOf(indexedDB.open('search'));
  return bare;
}

/** The words of each note, indexed by the browser. */
async function makeMultiEntry(notes: readonly IdentifiedNote[]): Promise<IDBDatabase> {
  const request = indexedDB.open('search-multi-entry', 1);
  request.onupgradeneeded = () => {
    const store = request.result.createObjectStore('words', { keyPath: 'id' });
    store.createIndex('words', 'words', { multiEntry: true });
  };
  const database = await answerOf(request);
  const transaction = database.transaction('words', 'readwrite', { durability: 'strict' });
  for (const { id, title, tags = [], text } of notes) {
    const words = new Set([title, ...tags, text].join(' ').trim().split(/\s+/));
    transaction.objectStore('words').put({ id, words: [...words] });
  }
  await completionOf(transaction);
  return database;
}

/** Unranked: the newest that have all words. */
async function searchMultiEntry(database: IDBDatabase, query: string): Promise<void> {
  const index = database.transaction('words').objectStore('words').index('words');
  const sets = await Promise.all(
    query.split(' ').map(async (word) => {
      const range = IDBKeyRange.bound(word, `${word}\uffff`);
      return new Set((await answerOf(index.getAllKeys(range))) as string[]);
    }),
  );
  const ids = [...sets[0]!].filter((id) => sets.every((set) => set.has(id)));
  const newest = ids.toSorted().slice(-LIMIT).toReversed();
  must(newest.length > 0, `the multi-entry index found nothing for ${query}`);
  await readNotes(newest);
}

/** An update of the store, against the least that the browser has to do for one. */
async function updateCandidates(
  store: Store,
  notes: readonly IdentifiedNote[],
): Promise<Candidate[]> {
  const { id, text } = notes[0]!;
  const database = await bareDatabase();
  const record: unknown = await answerOf(
    database.transaction('notes').objectStore('notes').get(id),
  );
  let count = 0;
  return [
    timed('ours: update', () => store.notes.update(id, { text: `${text} ${count++}` })),
    timed('bare update', async () => {
      const transaction = database.transaction(['notes', 'note-texts'], 'readwrite', {
        durability: 'strict',
      });
      transaction.objectStore('notes').put(record);
      transaction.objectStore('note-texts').put(`${text} ${count++}`, id);
      await completionOf(transaction);
    }),
  ];
}

function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('It was aborted.'));
  });
}

async function usage(): Promise<number> {
  return (await navigator.storage.estimate()).usage ?? 0;
}

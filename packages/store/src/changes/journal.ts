import { type IDBPObjectStore, type StoreNames, unwrap } from 'idb';
import type { Transaction } from '../database/begin-transaction.js';
import type { Database, RunOptions } from '../database/database.js';
import type { EntryKind, Head, LoggedChanges, StoreChange, StoreSchema } from '../schema/schema.js';

/** The number of transactions that the log keeps, for the other tabs. */
const MAX_LOGGED = 1_000;

/** The maximum number of changes of one transaction that are logged separately. */
const MAX_LOGGED_CHANGES = 100;

/** The number of transactions after which old log entries are deleted. */
const TIDYING_INTERVAL = 64;

/** The object stores that every write of notes or files needs in addition. */
export const JOURNAL = ['head', 'log', 'unindexed', 'unsynced'] as const;

type ObjectStore<Name extends (typeof JOURNAL)[number]> = IDBPObjectStore<
  StoreSchema,
  StoreNames<StoreSchema>[],
  Name,
  'readwrite'
>;

/** The transactions after a sequence number, the oldest first. */
export interface Missed {
  head: Head;
  /** The transactions; `everything` if some of them are no longer in the log. */
  transactions: { sequence: number; changes: LoggedChanges }[] | 'everything';
}

/** The object stores of the journal, inside a transaction. */
export interface Journal {
  heads: ObjectStore<'head'>;
  log: ObjectStore<'log'>;
  unindexed: ObjectStore<'unindexed'>;
  unsynced: ObjectStore<'unsynced'>;
}

/**
 * Records changes in their own transaction: for the other tabs (`log`), for the search
 * index (`unindexed`), for the other devices (`unsynced`), and in the numbers of notes and files
 * (`head`).
 *
 * @param head The head before the changes. Returns the one after them.
 */
export function recordChanges(
  { heads, log, unindexed, unsynced }: Journal,
  head: Head,
  changes: readonly StoreChange[],
): Head {
  const next: Head = {
    ...head,
    sequence: head.sequence + 1,
    notes: head.notes + growthOf('note', changes),
    files: head.files + growthOf('file', changes),
  };
  for (const { kind, revision } of changes) {
    if (revision === undefined || kind === 'everything') continue;
    const highest = Math.max(revision, formerRevisionOf(next, kind));
    next.formerRevisions = { ...next.formerRevisions, [kind]: highest };
  }
  // Without promises: there may be thousands, and a failed request aborts the transaction.
  const notIndexed = unwrap(unindexed);
  const notSynced = unwrap(unsynced);
  for (const { kind, key, origin } of changes) {
    if (kind === 'note') notIndexed.put(next.sequence, [kind, key]);
    // A change of another device must not be sent back to it.
    if (head.syncs && !origin && kind !== 'everything') notSynced.put(next.sequence, [kind, key]);
  }
  unwrap(heads).put(next, 'head');
  unwrap(log).put(toLogEntry(changes), next.sequence);
  // Only at intervals, to save a request in most writes.
  if (next.sequence % TIDYING_INTERVAL === 0) {
    unwrap(log).delete(IDBKeyRange.upperBound(next.sequence - MAX_LOGGED));
  }
  return next;
}

/** Reads the head of the database. */
export async function readHead(heads: {
  get(key: 'head'): Promise<Head | undefined>;
}): Promise<Head> {
  const head = await heads.get('head');
  if (!head) throw new Error('The database has no head.');
  return head;
}

/** The highest revision of an entry that was deleted or moved away; 0 if there is none. */
export const formerRevisionOf = ({ formerRevisions }: Head, kind: EntryKind): number =>
  formerRevisions?.[kind] ?? 0;

/** Reads the head in its own transaction, and with it the numbers of all notes and files in a single read. */
export async function currentHead(database: Database, options: RunOptions = {}): Promise<Head> {
  return await database.run(
    ['head'],
    'readonly',
    (transaction) => readHead(transaction.objectStore('head')),
    options,
  );
}

/** Reads the transactions after a sequence number. */
export async function readLog(
  transaction: Transaction<('head' | 'log')[], 'readonly'>,
  after: number,
): Promise<Missed> {
  const log = transaction.objectStore('log');
  const range = IDBKeyRange.lowerBound(after, true);
  const [head, sequences, logged] = await Promise.all([
    readHead(transaction.objectStore('head')),
    log.getAllKeys(range),
    log.getAll(range),
  ]);
  const missed = Math.max(head.sequence - after, 0);
  const isWhole = missed <= MAX_LOGGED && sequences.length === missed;
  const transactions = sequences.map((sequence, index) => ({
    sequence,
    changes: readableOf(logged[index]),
  }));
  return { head, transactions: isWhole ? transactions : 'everything' };
}

function toLogEntry(changes: readonly StoreChange[]): LoggedChanges {
  const isMuch =
    changes.length > MAX_LOGGED_CHANGES || changes.some(({ kind }) => kind === 'everything');
  return isMuch ? 'everything' : [...changes];
}

/** The changes of a log entry. A damaged entry means that everything may have changed. */
function readableOf(logged: unknown): LoggedChanges {
  return Array.isArray(logged) && logged.every(isStoreChange) ? logged : 'everything';
}

function growthOf(kind: StoreChange['kind'], changes: readonly StoreChange[]): number {
  let growth = 0;
  for (const change of changes) {
    if (change.kind !== kind) continue;
    if (change.type === 'created') growth += 1;
    if (change.type === 'deleted') growth -= 1;
  }
  return growth;
}

const KINDS: readonly unknown[] = ['note', 'file', 'everything'];
const TYPES: readonly unknown[] = ['created', 'updated', 'deleted'];

function isStoreChange(value: unknown): value is StoreChange {
  if (typeof value !== 'object' || value === null) return false;
  const change = value as { [key in keyof StoreChange]?: unknown };
  return (
    KINDS.includes(change.kind) &&
    typeof change.key === 'string' &&
    TYPES.includes(change.type) &&
    typeof change.listingChanged === 'boolean'
  );
}

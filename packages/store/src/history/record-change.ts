import type { Transaction } from '../database/begin-transaction.js';
import type {
  ChangeContents,
  ClientChange,
  ClientIdentity,
  NoteSummary,
  StoreChange,
  StoredFile,
} from '../schema/schema.js';
import { isNoteSummary, isStoredBytes, isStoredFile } from '../schema/valid-records.js';
import { lineChange } from './line-change.js';
import { isClientChange } from './valid-changes.js';

/** The maximum number of changes in the history. */
const MAX_CHANGES = 200;
/** The maximum size of the contents that undo a change, in bytes. A larger change cannot be undone. */
const MAX_CONTENT_BYTES = 8 * 1024 * 1024;
/**
 * The maximum size of these contents for all changes together. Beyond it, some changes can no longer be
 * undone.
 */
const MAX_CONTENTS_BYTES = 32 * 1024 * 1024;

/** The approximate number of bytes that the browser stores for a line, in addition to its letters. */
const LINE_BYTES = 16;

/** The maximum length of a title, in UTF-16 code units: it only names the note. */
const MAX_TITLE_LENGTH = 200;

/** The object stores of the history. */
export const HISTORY: ('history' | 'history-contents')[] = ['history', 'history-contents'];

/**
 * A transaction with all object stores that may be read and written, although a write of notes does not have
 * those of files.
 */
type Recording = Transaction<
  ('notes' | 'note-texts' | 'files' | 'file-bytes' | 'history' | 'history-contents')[],
  'readwrite'
>;

/** The arguments of a write. They name the entry, unless it is a new note. */
type Arguments = { readonly [name: string]: unknown };

/** The result of a write. */
interface Done {
  result: unknown;
  /** The text of a note afterwards. */
  text?: string;
  changes: readonly StoreChange[];
}

/** The state of an entry before a write. */
interface Before {
  record?: NoteSummary | StoredFile | undefined;
  text?: string | undefined;
  content?: unknown;
  replaced?: StoredFile | undefined;
}

/** Makes the recorder of a write of a scope. */
export type RecorderOf = (args: Arguments) => ChangeRecorder;

/** Makes the recorder that keeps the changes of a client: for its `StoreScope`. */
export function recorderOf(client: ClientIdentity): RecorderOf {
  return (args) => new ChangeRecorder(client, args);
}

/** Keeps the changes of one write of a client, in the transaction of the write. */
export class ChangeRecorder {
  readonly #client: ClientIdentity;
  readonly #args: Arguments;

  constructor(client: ClientIdentity, args: Arguments) {
    this.#client = client;
    this.#args = args;
  }

  /** Reads the entry that the write is going to change. */
  async readBefore(transaction: unknown): Promise<Before> {
    const stores = transaction as Recording;
    const { id, path, from, to } = this.#args;
    if (typeof id === 'string') return await noteBefore(stores, id);
    if (typeof path === 'string') return await fileBefore(stores, path);
    if (typeof from !== 'string' || typeof to !== 'string') return {};
    const [moved, replaced] = await Promise.all([fileBefore(stores, from), fileBefore(stores, to)]);
    return { record: moved.record, replaced: replaced.record, content: replaced.content };
  }

  /** Writes the change to the history. If one write has created several notes together, nothing is kept. */
  async record(transaction: unknown, before: Before, done: Done): Promise<void> {
    const { from } = this.#args;
    const isMove = typeof from === 'string';
    const [change, ...others] = isMove ? done.changes.slice(1) : done.changes;
    if (!change || change.kind === 'everything' || others.length > 0) return;
    const type = isMove ? 'moved' : change.type;
    const contents = contentsOf(change.kind, type, before, done);
    const bytes = contents ? sizeOf(contents) : 0;
    const isKept = contents !== undefined && bytes <= MAX_CONTENT_BYTES;
    const named = (contents?.after ?? contents?.before) as Partial<NoteSummary> | undefined;
    const kept: ClientChange = {
      ...this.#client,
      at: Date.now(),
      kind: change.kind,
      key: change.key,
      type,
      ...(isMove && { from }),
      title: (named?.title ?? '').slice(0, MAX_TITLE_LENGTH).toWellFormed(),
      bytes: isKept ? bytes : 0,
    };
    await addTo(transaction as Recording, kept, isKept ? contents : undefined);
  }
}

async function noteBefore(stores: Recording, id: string): Promise<Before> {
  const record: unknown = await stores.objectStore('notes').get(id);
  const text: unknown = await stores.objectStore('note-texts').get(id);
  if (!isNoteSummary(record) || typeof text !== 'string') return {};
  return { record, text };
}

async function fileBefore(
  stores: Recording,
  path: string,
): Promise<{ record?: StoredFile; content?: unknown }> {
  const record: unknown = await stores.objectStore('files').get(path);
  if (!isStoredFile(record)) return {};
  // A write that changes only the record does not have the bytes.
  if (![...stores.objectStoreNames].includes('file-bytes')) return { record };
  return { record, content: await stores.objectStore('file-bytes').get(path) };
}

/**
 * The contents that undo a change. Undefined if it cannot be undone, because the entry was damaged, or its
 * bytes are in pieces.
 */
function contentsOf(
  kind: 'note' | 'file',
  type: ClientChange['type'],
  { record: before, text: oldText = '', content, replaced }: Before,
  { result, text = oldText }: Done,
): ChangeContents | undefined {
  const after = result as NoteSummary | StoredFile;
  if (type === 'created') return { after };
  if (!before) return undefined;
  if (kind === 'note') {
    if (type === 'deleted') return { before, text: oldText };
    const lines = lineChange(oldText, text);
    return { before, after, ...(lines && { lines }) };
  }
  if (type === 'moved' && !replaced) return { before, after };
  if (!isStoredBytes(content)) return undefined;
  if (replaced) return { before, after, replaced, content };
  return { before, content, ...(type === 'updated' && { after }) };
}

/** The approximate size that the browser stores for it, in bytes. */
function sizeOf({ lines, text, content }: ChangeContents): number {
  const bytes = content instanceof Blob ? content.size : (content?.byteLength ?? 0);
  const { removed = [], added = [], lead = [], trail = [] } = lines ?? {};
  const kept = [...removed, ...added, ...lead, ...trail, ...(text === undefined ? [] : [text])];
  return kept.reduce((sum, line) => sum + 2 * line.length + LINE_BYTES, bytes);
}

/** A change of the history, with its number. */
interface Numbered {
  number: number;
  change: ClientChange;
}

/**
 * Adds a change. Beyond the limits, the oldest change of the client with the most changes is evicted, as in
 * the log of requests. So no client can evict the changes of others, however often it connects.
 */
async function addTo(
  stores: Recording,
  change: ClientChange,
  contents: ChangeContents | undefined,
): Promise<void> {
  const kept = await readNumbered(stores);
  // The number is higher than any from before the data was cleared, because a client may still know such a
  // number.
  const number = Math.max((kept.at(-1)?.number ?? 0) + 1, Date.now());
  kept.push({ number, change });
  const gone = new Set<number>();
  while (kept.length - gone.size > MAX_CHANGES) gone.add(oldestOfMost(kept, gone, () => 1).number);
  const left = kept.filter((one) => !gone.has(one.number));
  const bare = new Set<number>();
  let bytes = left.reduce((sum, one) => sum + one.change.bytes, 0);
  while (bytes > MAX_CONTENTS_BYTES) {
    const oldest = oldestOfMost(left, bare, (one) => one.bytes);
    bytes -= oldest.change.bytes;
    bare.add(oldest.number);
  }
  const history = stores.objectStore('history');
  const allContents = stores.objectStore('history-contents');
  await history.put(change, number);
  if (contents) await allContents.put(contents, number);
  for (const one of [...gone, ...bare]) await allContents.delete(one);
  for (const one of gone) await history.delete(one);
  for (const one of left) {
    if (bare.has(one.number)) await history.put({ ...one.change, bytes: 0 }, one.number);
  }
}

/**
 * The changes of the history, the oldest first. Deletes records that are not changes, and those far beyond
 * the limit.
 */
async function readNumbered(stores: Recording): Promise<Numbered[]> {
  const history = stores.objectStore('history');
  const newest = await history.getAllKeys();
  const oldest = newest.at(-2 * MAX_CHANGES);
  const contents = stores.objectStore('history-contents');
  if (oldest !== undefined) {
    await history.delete(IDBKeyRange.upperBound(oldest));
    await contents.delete(IDBKeyRange.upperBound(oldest));
  }
  const [numbers, changes]: [unknown[], unknown[]] = await Promise.all([
    history.getAllKeys(),
    history.getAll(),
  ]);
  const kept: Numbered[] = [];
  for (const [index, number] of numbers.entries()) {
    const change = changes[index];
    // The next number must be a safe integer, too.
    if (Number.isSafeInteger(number) && Number(number) < 2 ** 52 && isClientChange(change))
      kept.push({ number: number as number, change });
    else {
      await history.delete(number as number);
      await contents.delete(number as number);
    }
  }
  return kept;
}

/** The oldest change with a weight, of the client whose changes have the highest total weight. */
function oldestOfMost(
  kept: readonly Numbered[],
  without: ReadonlySet<number>,
  weightOf: (change: ClientChange) => number,
): Numbered {
  const weights = new Map<string, number>();
  const counted = kept.filter(({ number }) => !without.has(number));
  for (const { change } of counted)
    weights.set(ownerOf(change), (weights.get(ownerOf(change)) ?? 0) + weightOf(change));
  const most = Math.max(...weights.values());
  return counted.find(
    ({ change }) => weights.get(ownerOf(change)) === most && weightOf(change) > 0,
  )!;
}

/** The author of a change. */
const ownerOf = ({ run, connection, name, owner = `${connection}` }: ClientChange): string =>
  name === '' ? `${run} ${owner}` : name;

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
import { textChange } from './text-change.js';

/** How many changes the history keeps. */
const MAX_CHANGES = 200;
/** How large what undoes a change may be, in bytes: a larger change cannot be undone. */
const MAX_CONTENT_BYTES = 8 * 1024 * 1024;
/** How large it may be for all changes together: then the oldest can no longer be undone. */
const MAX_CONTENTS_BYTES = 32 * 1024 * 1024;

/** The object stores of the history. */
export const HISTORY: ('history' | 'history-contents')[] = ['history', 'history-contents'];

/** All that may be read and written, although a write of notes has no object stores of files. */
type Recording = Transaction<
  ('notes' | 'note-texts' | 'files' | 'file-bytes' | 'history' | 'history-contents')[],
  'readwrite'
>;

/** What a write has done. */
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

/**
 * Makes the recorder of a write of a scope.
 *
 * @param args The arguments of the write: they name the entry, unless it is a new note.
 */
export type RecorderOf = (args: { readonly [name: string]: unknown }) => ChangeRecorder;

/** Keeps what a client changes: for its `StoreScope`. */
export function recorderOf(client: ClientIdentity): RecorderOf {
  return (args) => new ChangeRecorder(client, args);
}

/** Keeps what one write of a client does, in the transaction of the write. */
export class ChangeRecorder {
  readonly #client: ClientIdentity;
  readonly #args: { readonly [name: string]: unknown };

  constructor(client: ClientIdentity, args: { readonly [name: string]: unknown }) {
    this.#client = client;
    this.#args = args;
  }

  /** Reads what the write is going to change. */
  async readBefore(transaction: unknown): Promise<Before> {
    const stores = transaction as Recording;
    const { id, path, from, to } = this.#args;
    if (typeof id === 'string') return await noteBefore(stores, id);
    if (typeof path === 'string') return await fileBefore(stores, path);
    if (typeof from !== 'string' || typeof to !== 'string') return {};
    const [moved, replaced] = await Promise.all([fileBefore(stores, from), fileBefore(stores, to)]);
    return { record: moved.record, replaced: replaced.record, content: replaced.content };
  }

  /** Writes what it has changed. Notes that one write has made together are not kept. */
  async record(transaction: unknown, before: Before, done: Done): Promise<void> {
    const { from } = this.#args;
    const isMove = typeof from === 'string';
    const [change] = isMove ? done.changes.slice(1) : done.changes;
    if (!change || change.kind === 'everything' || done.changes.length > (isMove ? 2 : 1)) return;
    const contents = contentsOf(before, done);
    const bytes = contents ? sizeOf(contents) : 0;
    const isKept = contents !== undefined && bytes <= MAX_CONTENT_BYTES;
    const named = (contents?.after ?? contents?.before) as Partial<NoteSummary> | undefined;
    const kept: ClientChange = {
      ...this.#client,
      at: Date.now(),
      kind: change.kind,
      key: change.key,
      type: isMove ? 'moved' : change.type,
      ...(isMove && { from }),
      title: named?.title ?? '',
      bytes: isKept ? bytes : 0,
    };
    const stores = transaction as Recording;
    const number = await stores.objectStore('history').add(kept);
    if (isKept) await stores.objectStore('history-contents').put(contents, number);
    await forgetOldest(stores);
  }
}

async function noteBefore(stores: Recording, id: string): Promise<Before> {
  const [record, text]: unknown[] = await Promise.all([
    stores.objectStore('notes').get(id),
    stores.objectStore('note-texts').get(id),
  ]);
  if (!isNoteSummary(record) || typeof text !== 'string') return {};
  return { record, text };
}

async function fileBefore(
  stores: Recording,
  path: string,
): Promise<{ record?: StoredFile; content?: unknown }> {
  const record: unknown = await stores.objectStore('files').get(path);
  if (!isStoredFile(record)) return {};
  // A write of the record alone does not have the bytes.
  if (![...stores.objectStoreNames].includes('file-bytes')) return { record };
  return { record, content: await stores.objectStore('file-bytes').get(path) };
}

/** Undefined if the change cannot be undone: the entry was damaged, or its bytes are in pieces. */
function contentsOf(before: Before, { result, text, changes }: Done): ChangeContents | undefined {
  const { record, content, replaced } = before;
  const type = changes.at(-1)!.type;
  const isGone = type === 'deleted';
  if (!record && type !== 'created') return undefined;
  const isFile = changes.at(-1)!.kind === 'file';
  const lost = replaced ?? (isFile && changes.length === 1 ? record : undefined);
  if (lost && !isStoredBytes(content)) return undefined;
  const changed = isFile
    ? undefined
    : textChange(before.text ?? '', isGone ? '' : (text ?? before.text ?? ''));
  return {
    ...(record && { before: record }),
    ...(!isGone && { after: result as NoteSummary | StoredFile }),
    ...(changed && { text: changed }),
    ...(lost && isStoredBytes(content) && { content }),
    ...(replaced && { replaced }),
  };
}

/** About as much as the browser stores for it. */
function sizeOf({ text, content }: ChangeContents): number {
  const bytes = content instanceof Blob ? content.size : (content?.byteLength ?? 0);
  return bytes + 2 * ((text?.removed.length ?? 0) + (text?.added.length ?? 0));
}

/** Within the limits, the oldest of whoever has most goes: nobody drives out what others have changed. */
async function forgetOldest(stores: Recording): Promise<void> {
  const history = stores.objectStore('history');
  const contents = stores.objectStore('history-contents');
  const [numbers, changes] = await Promise.all([history.getAllKeys(), history.getAll()]);
  const kept = numbers.map((number, index) => ({ number, change: changes[index]! }));
  while (kept.length > MAX_CHANGES) {
    const [{ number }] = kept.splice(
      oldestOfMost(kept, () => 1),
      1,
    ) as [Numbered];
    await Promise.all([history.delete(number), contents.delete(number)]);
  }
  const total = (): number => kept.reduce((bytes, { change }) => bytes + change.bytes, 0);
  while (total() > MAX_CONTENTS_BYTES) {
    const oldest = kept[oldestOfMost(kept, ({ bytes }) => bytes)]!;
    oldest.change = { ...oldest.change, bytes: 0 };
    await Promise.all([history.put(oldest.change, oldest.number), contents.delete(oldest.number)]);
  }
}

interface Numbered {
  number: number;
  change: ClientChange;
}

/** The index of the first change with a weight, of the client whose changes weigh most together. */
function oldestOfMost(
  kept: readonly Numbered[],
  weightOf: (change: ClientChange) => number,
): number {
  const weights = new Map<string, number>();
  for (const { change } of kept)
    weights.set(change.name, (weights.get(change.name) ?? 0) + weightOf(change));
  const most = Math.max(...weights.values());
  return kept.findIndex(({ change }) => weights.get(change.name) === most && weightOf(change) > 0);
}

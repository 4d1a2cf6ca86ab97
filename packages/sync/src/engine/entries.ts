import type { Note, StoredFile } from '@inpage-mcp/store';
import type { SyncedEntry, SyncEntry, SyncWrite } from '@inpage-mcp/store/sync';
import type { DeletionPayload, FilePayload, NotePayload } from '../keys/payload.js';
import type { Entry } from '../merge/merge-entry.js';

/** The longest text of a note that is kept for merges, in UTF-16 code units. */
export const MAX_BASE_LENGTH = 262_144;

export const isDeletion = (entry: Entry): entry is DeletionPayload => 'deleted' in entry;

/**
 * An entry of this device, or its deletion, as it travels.
 *
 * @param pieces of a file, in their order
 * @param now in milliseconds since 1970
 */
export function entryOf(
  kind: 'note' | 'file',
  key: string,
  { note, file, synced }: SyncEntry,
  pieces: string[],
  now: number,
): Entry {
  const common = { v: 1, key, counter: (synced?.counter ?? 0) + 1 };
  // What a later version has added goes back as it came.
  const known = baseOf(synced);
  const fields = fieldsOf(known);
  if (note) return { ...fields, ...fieldsOfNote(note), ...common, kind: 'note' } as NotePayload;
  if (file)
    return {
      ...fields,
      ...fieldsOfFile(file.record),
      ...common,
      kind: 'file',
      pieces,
    } as FilePayload;
  return { ...common, kind, deleted: true, at: now };
}

/** What both had when they were last the same; `undefined` if that is not known. */
export function baseOf(synced: SyncedEntry | undefined): Entry | undefined {
  return synced?.base as Entry | undefined;
}

/** What is noted of an entry that the server has. Of a long text, the server alone has the base. */
export function syncedOf(entry: Entry, version: string): SyncedEntry {
  const isLong = 'text' in entry && (entry as NotePayload).text.length > MAX_BASE_LENGTH;
  return { version, counter: entry.counter, ...(!isLong && { base: entry }) };
}

/** Whether two entries say the same, no matter which device has written them, and when. */
export function isSameEntry(a: Entry, b: Entry): boolean {
  return wordsOf(a) === wordsOf(b);
}

/** The content of an entry for the store; of a file without its bytes. */
export function contentFor(entry: Entry): Pick<SyncWrite, 'note' | 'file'> {
  if (isDeletion(entry)) return entry.kind === 'note' ? { note: null } : { file: null };
  const { createdAt, updatedAt } = entry;
  const common = { createdAt, updatedAt, revision: 1, ...annotationsOf(entry) };
  if (entry.kind === 'note') {
    const { title, tags, text } = entry;
    return { note: { ...common, title, tags, text } };
  }
  const { mediaType, digest } = entry;
  return { file: { record: { ...common, mediaType, digest } } };
}

type Annotated = Pick<NotePayload, 'audience' | 'priority'>;

function annotationsOf({ audience, priority }: Annotated): Pick<Note, 'audience' | 'priority'> {
  return {
    ...(audience && { audience: audience as NonNullable<Note['audience']> }),
    ...(priority !== undefined && { priority }),
  };
}

function fieldsOfNote(note: Note): Partial<NotePayload> {
  const { title, text, tags, createdAt, updatedAt } = note;
  return { title, text, tags, createdAt, updatedAt, ...annotationsOf(note) };
}

function fieldsOfFile(file: StoredFile): Partial<FilePayload> {
  const { mediaType, size, digest = '', createdAt, updatedAt } = file;
  return { mediaType, size, digest, createdAt, updatedAt, ...annotationsOf(file) };
}

/** The fields of an entry that was there, without those that can be taken away. */
function fieldsOf(entry: Entry | undefined): Record<string, unknown> {
  if (!entry || isDeletion(entry)) return {};
  const { audience: _audience, priority: _priority, ...fields } = entry;
  return fields;
}

/** Without the counter and the time of a deletion; the names of pieces follow from the digest. */
export function wordsOf(entry: Entry): string {
  const { counter: _counter, pieces: _pieces, at: _at, ...fields } = entry as DeletionPayload;
  return JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

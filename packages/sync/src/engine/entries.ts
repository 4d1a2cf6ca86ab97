import type { Note, StoredFile } from '@inpage-mcp/store';
import type { SyncedEntry, SyncEntry, SyncWrite } from '@inpage-mcp/store/sync';
import { toBase64Url } from '../keys/bytes.js';
import {
  MAX_PAST,
  type DeletionPayload,
  type FilePayload,
  type NotePayload,
} from '../keys/payload.js';
import { contentDigestOf, isSame, type Entry } from '../merge/merge-entry.js';

/** The longest text of a note that is kept for merges, in UTF-16 code units. */
export const MAX_BASE_LENGTH = 262_144;

/** How many versions are kept that lead to what the server has. */
export const KEPT_VERSIONS = 16;

/** Of so many, each version names those that it has come from, beside those that were not acknowledged. */
export const NAMED_VERSIONS = 8;

/** The length of the name of a version. Only those of one entry need to differ. */
const VERSION_BYTES = 6;

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

/** The one of these entries that says what both had when they were last the same; that itself, if it is kept. */
export async function baseAmong(
  entries: readonly Entry[],
  synced: SyncedEntry | undefined,
): Promise<Entry | undefined> {
  const base = baseOf(synced);
  if (base || synced?.digest === undefined) return base;
  for (const entry of entries) if ((await contentDigestOf(entry)) === synced.digest) return entry;
  return undefined;
}

/** Whether an entry says what both had when they were last the same. */
export async function isKnown(entry: Entry, synced: SyncedEntry | undefined): Promise<boolean> {
  const base = await baseAmong([entry], synced);
  return base !== undefined && isSame(base, entry);
}

/** What is noted of an entry that the server has. Of a long text, the server alone has the base. */
export async function syncedOf(entry: Entry, version: string): Promise<SyncedEntry> {
  const isLong = 'text' in entry && (entry as NotePayload).text.length > MAX_BASE_LENGTH;
  const { past: _past, ...base } = entry;
  const content = isLong ? { digest: await contentDigestOf(entry) } : { base };
  return { version, counter: entry.counter, past: versionsOf(entry), ...content };
}

/** The versions that lead to an entry, itself the last, as far as they are kept. */
export function versionsOf({ id, past = [] }: Entry): string[] {
  return id === undefined ? [] : [...past, id].slice(-KEPT_VERSIONS);
}

/**
 * An entry as it is sent: a version of its own, unless the server had this one.
 *
 * @param sent The versions of it that the server may have, and has not acknowledged.
 */
export async function versionOf(
  entry: Entry,
  synced: SyncedEntry | undefined,
  sent: readonly string[] = [],
): Promise<Entry> {
  const past = synced?.past ?? [];
  const id = past.at(-1);
  if (id !== undefined && sent.length === 0 && (await isKnown(entry, synced)))
    return { ...entry, id, counter: synced!.counter, past: past.slice(0, -1) };
  const own = toBase64Url(crypto.getRandomValues(new Uint8Array(VERSION_BYTES)));
  const known = past.slice(sent.length - MAX_PAST);
  return { ...entry, id: own, past: [...new Set([...sent, ...known])] };
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

/** The fields of an entry that was there, without those that can be taken away, or are its own. */
function fieldsOf(entry: Entry | undefined): Record<string, unknown> {
  if (!entry || isDeletion(entry)) return {};
  const { audience: _audience, priority: _priority, id: _id, ...fields } = entry;
  return fields;
}

import type { Note, StoredFile } from '@inpage-mcp/store';
import type { SyncedEntry, SyncEntry, SyncWrite } from '@inpage-mcp/store/sync';
import { toBase64Url } from '../keys/bytes.js';
import {
  MAX_COUNTER,
  MAX_PAST,
  type DeletionPayload,
  type FilePayload,
  type NotePayload,
} from '../keys/payload.js';
import { contentDigestOf, isSame, type Entry } from '../merge/merge-entry.js';

/** The maximum length of a note's text that is kept for merges, in UTF-16 code units. */
export const MAX_BASE_LENGTH = 262_144;

/** The number of versions that are kept of the history of the server's version. */
export const KEPT_VERSIONS = 16;

/** The number of predecessors that each version names, in addition to those that were not acknowledged. */
export const NAMED_VERSIONS = 8;

/** The length of a version's name, in bytes. Only the names of one entry need to differ. */
const VERSION_BYTES = 6;

/**
 * The counter of the version after another one. A hostile device may have written the highest counter, above
 * which other devices accept none: then it stays, and only the past tells which version is the newer one.
 */
export const counterAfter = (counter = 0): number => Math.min(counter + 1, MAX_COUNTER);

export const isDeletion = (entry: Entry): entry is DeletionPayload => 'deleted' in entry;

/**
 * An entry of this device, or its deletion, as it is sent.
 *
 * @param pieces The pieces of a file, in their order.
 * @param now The time in milliseconds since 1970.
 */
export function entryOf(
  kind: 'note' | 'file',
  key: string,
  { note, file, synced }: SyncEntry,
  pieces: string[],
  now: number,
): Entry {
  const common = { v: 1, key, counter: counterAfter(synced?.counter) };
  // Fields that a later version of this package has added are sent back unchanged.
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

/** The content that both sides had when they were last the same; `undefined` if it is not known. */
export function baseOf(synced: SyncedEntry | undefined): Entry | undefined {
  return synced?.base as Entry | undefined;
}

/** The base if it is kept; otherwise the one of these entries that has the same content as the base. */
export async function baseAmong(
  entries: readonly Entry[],
  synced: SyncedEntry | undefined,
): Promise<Entry | undefined> {
  const base = baseOf(synced);
  if (base || synced?.digest === undefined) return base;
  for (const entry of entries) if ((await contentDigestOf(entry)) === synced.digest) return entry;
  return undefined;
}

/** Whether an entry has the content that both sides had when they were last the same. */
export async function isKnown(entry: Entry, synced: SyncedEntry | undefined): Promise<boolean> {
  const base = await baseAmong([entry], synced);
  return base !== undefined && isSame(base, entry);
}

/** The facts to store about an entry that the server has. Only the server has the base of a long text. */
export async function syncedOf(entry: Entry, version: string): Promise<SyncedEntry> {
  const isLong = 'text' in entry && (entry as NotePayload).text.length > MAX_BASE_LENGTH;
  const { past: _past, ...base } = entry;
  const content = isLong ? { digest: await contentDigestOf(entry) } : { base };
  return { version, counter: entry.counter, past: versionsOf(entry), ...content };
}

/** The versions that lead to an entry, including its own as the last one, as far as they are kept. */
export function versionsOf({ id, past = [] }: Entry): string[] {
  return id === undefined ? [] : [...past, id].slice(-KEPT_VERSIONS);
}

/**
 * An entry as it is sent: with a new version, unless the server already had the same entry.
 *
 * @param sent The versions of it that the server may have, but has not acknowledged.
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

/** The content of an entry for the store; for a file, without its bytes. */
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

/** The fields of the previous entry, without those that can be removed or belong to one version. */
function fieldsOf(entry: Entry | undefined): Record<string, unknown> {
  if (!entry || isDeletion(entry)) return {};
  const { audience: _audience, priority: _priority, id: _id, ...fields } = entry;
  return fields;
}

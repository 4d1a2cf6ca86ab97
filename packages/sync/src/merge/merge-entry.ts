import { MAX_PATH_BYTES, MAX_TAGS, MAX_TITLE_LENGTH } from '@inpage-mcp/store';
import { encodeUtf8, sha256, toBase64Url } from '../keys/bytes.js';
import { CROCKFORD_DIGITS } from '../keys/code.js';
import type { DeletionPayload, FilePayload, NotePayload } from '../keys/payload.js';
import { containsLines, mergeText } from './merge-text.js';

/** A note or a file, or its deletion. */
export type Entry = NotePayload | FilePayload | DeletionPayload;

/** The result of merging an entry that two devices have changed. */
export interface Merge<Merged> {
  merged: Merged;
  /** The number of places of a note's text that have two versions now. */
  conflicts: number;
  /** The version that could not be merged, as a separate entry: the same on every device. */
  copy?: Merged;
}

/** The suffix of a copy's title. */
const COPY_MARK = ' (other version)';
/** The number of digits of its digest in the name of a copied file. */
const DIGEST_DIGITS = 12;
/** The maximum length of the extension that a copied file keeps, in UTF-16 code units, including its dot. */
const MAX_EXTENSION_LENGTH = 16;

/**
 * Merges an entry. An edit wins over a deletion. The result has the higher counter of the two; a write still
 * has to increase it.
 *
 * @param base The common base of both; `undefined` if it is not known.
 */
export async function mergeEntry(
  base: Entry | undefined,
  mine: Entry,
  theirs: Entry,
): Promise<Merge<Entry>> {
  if (isDeletion(mine) && isDeletion(theirs))
    return isLater(mine, theirs) ? unmerged(mine, theirs) : unmerged(theirs, mine);
  if (isSame(mine, theirs) || (base && isSame(mine, base))) return unmerged(theirs, mine);
  if (base && isSame(theirs, base)) return unmerged(mine, theirs);
  if (isDeletion(mine)) return unmerged(theirs, mine);
  if (isDeletion(theirs)) return unmerged(mine, theirs);
  const known = base && !isDeletion(base) ? base : undefined;
  if (mine.kind === 'note' && theirs.kind === 'note') {
    return await mergeNote(known?.kind === 'note' ? known : undefined, mine, theirs);
  }
  if (mine.kind === 'file' && theirs.kind === 'file') {
    return mergeFile(known?.kind === 'file' ? known : undefined, mine, theirs);
  }
  throw new TypeError('Only entries of one kind can be merged.');
}

/**
 * Merges a note, field by field: if both sides have changed a field, the later note wins. Tags that either
 * side has removed are removed.
 *
 * @param base The common base of both; `undefined` if it is not known. Then texts are merged only if one has
 *   all lines of the other.
 */
export async function mergeNote(
  base: NotePayload | undefined,
  mine: NotePayload,
  theirs: NotePayload,
): Promise<Merge<NotePayload>> {
  const fields = mergeFields(base, mine, theirs);
  const merged = base ? mergeText(base.text, mine.text, theirs.text) : uniteTexts(mine, theirs);
  if (merged) {
    const tags = mergeTags(base?.tags ?? [], fields.tags, mine.tags, theirs.tags);
    return { merged: { ...fields, tags, text: merged.text }, conflicts: merged.conflicts };
  }
  const [later, earlier] = isLater(mine, theirs) ? [mine, theirs] : [theirs, mine];
  const counter = Math.max(mine.counter, theirs.counter);
  return { merged: { ...later, counter }, conflicts: 0, copy: await copyOfNote(earlier) };
}

/** Merges a file: the later content keeps the path, the other one gets a name from its digest. */
export function mergeFile(
  base: FilePayload | undefined,
  mine: FilePayload,
  theirs: FilePayload,
): Merge<FilePayload> {
  const merged = mergeFields(base, mine, theirs);
  if (mine.digest === theirs.digest) return { merged, conflicts: 0 };
  // Contents are merged as a whole, so all their fields come from one side.
  const isLost = ![mine.digest, theirs.digest].includes(base?.digest ?? '');
  const mineStays = choose(base?.digest, mine.digest, theirs.digest, isLater(mine, theirs));
  const [kept, other] = mineStays ? [mine, theirs] : [theirs, mine];
  const { mediaType, size, digest, pieces } = kept;
  const file = { ...merged, mediaType, size, digest, pieces };
  if (!isLost) return { merged: file, conflicts: 0 };
  return { merged: file, conflicts: 0, copy: { ...other, key: copiedPath(other), counter: 1 } };
}

function isDeletion(entry: Entry): entry is DeletionPayload {
  return 'deleted' in entry;
}

function unmerged(kept: Entry, other: Entry): Merge<Entry> {
  const counter = Math.max(kept.counter, other.counter);
  return { merged: { ...kept, counter }, conflicts: 0 };
}

/** The fields that are merged one by one, including those of later versions. */
function mergeFields<Payload extends NotePayload | FilePayload>(
  base: Payload | undefined,
  mine: Payload,
  theirs: Payload,
): Payload {
  const later = isLater(mine, theirs);
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const fields = [...names].map((name) => {
    const side = choose(base?.[name], mine[name], theirs[name], later) ? mine : theirs;
    return [name, side[name]] as const;
  });
  return {
    ...(Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Payload),
    counter: Math.max(mine.counter, theirs.counter),
    createdAt: Math.min(mine.createdAt, theirs.createdAt),
    updatedAt: Math.max(mine.updatedAt, theirs.updatedAt),
  };
}

/**
 * Whether the value of my side stays: if only one side has changed it, this side wins, otherwise the later
 * one.
 */
function choose(base: unknown, mine: unknown, theirs: unknown, mineIsLater: boolean): boolean {
  const [known, left, right] = [base, mine, theirs].map((value) => JSON.stringify(value));
  if (left === known) return false;
  return right === known || mineIsLater;
}

/** A list of tags, without those that a side has removed, and with those that a side has added. */
function mergeTags(base: string[], first: string[], mine: string[], theirs: string[]): string[] {
  const all = new Set([...first, ...theirs, ...mine]);
  const isRemoved = (tag: string): boolean =>
    base.includes(tag) && !(mine.includes(tag) && theirs.includes(tag));
  return [...all].filter((tag) => !isRemoved(tag)).slice(0, MAX_TAGS);
}

function uniteTexts(
  mine: NotePayload,
  theirs: NotePayload,
): { text: string; conflicts: number } | undefined {
  const [first, second] = [mine.text, theirs.text].toSorted();
  if (containsLines(second!, first!)) return { text: second!, conflicts: 0 };
  return containsLines(first!, second!) ? { text: first!, conflicts: 0 } : undefined;
}

/** Whether two entries have the same content, regardless of the time and the device of the change. */
export function isSame(a: Entry, b: Entry): boolean {
  return contentOf(a) === contentOf(b);
}

/** The digest of an entry's content: equal for two entries if {@link isSame} is true. */
export async function contentDigestOf(entry: Entry): Promise<string> {
  return toBase64Url(await sha256(encodeUtf8(contentOf(entry))));
}

function isLater(mine: Entry, theirs: Entry): boolean {
  const [myTime, theirTime] = [timeOf(mine), timeOf(theirs)];
  return myTime === theirTime ? contentOf(mine) > contentOf(theirs) : myTime > theirTime;
}

function timeOf(entry: Entry): number {
  return isDeletion(entry) ? entry.at : entry.updatedAt;
}

/** The content of an entry, without the data of its version; the names of pieces follow from the digest. */
function contentOf(entry: Entry): string {
  const {
    counter: _counter,
    id: _id,
    past: _past,
    pieces: _pieces,
    at: _at,
    ...content
  } = entry as DeletionPayload;
  return JSON.stringify(Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * A copy as a new note. Its id is derived from the note's id and its content, so that every device creates
 * the same one.
 */
async function copyOfNote(note: NotePayload): Promise<NotePayload> {
  const digest = await sha256(encodeUtf8(contentOf(note)));
  // The first half of a ULID is the time, and the other one has 16 digits.
  const noise = Array.from(digest.subarray(0, 16), (byte) => CROCKFORD_DIGITS[byte & 31]).join('');
  const title = note.title.slice(0, MAX_TITLE_LENGTH - COPY_MARK.length).toWellFormed() + COPY_MARK;
  return { ...note, key: note.key.slice(0, 10) + noise, title, counter: 1 };
}

/**
 * The path of a copied file: `photos/cat.png` becomes `photos/cat (0123456789ab).png`, shortened if
 * necessary.
 */
export function copiedPath({ key, digest }: FilePayload): string {
  const slash = key.lastIndexOf('/') + 1;
  const dot = key.lastIndexOf('.');
  const end = dot > slash && key.length - dot <= MAX_EXTENSION_LENGTH ? dot : key.length;
  const suffix = ` (${digest.slice(0, DIGEST_DIGITS)})${key.slice(end)}`;
  const characters = Array.from(key.slice(slash, end));
  let folder = key.slice(0, slash);
  // The path of the folder leaves no room for the name.
  if (sizeOf(folder + suffix) >= MAX_PATH_BYTES) folder = '';
  while (sizeOf(folder + characters.join('') + suffix) > MAX_PATH_BYTES) characters.pop();
  return folder + characters.join('') + suffix;
}

function sizeOf(text: string): number {
  return encodeUtf8(text).length;
}

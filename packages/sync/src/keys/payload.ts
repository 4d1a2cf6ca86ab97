import {
  MAX_FILE_BYTES,
  MAX_MEDIA_TYPE_LENGTH,
  MAX_PATH_BYTES,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TEXT_BYTES,
  MAX_TITLE_LENGTH,
} from '@inpage-mcp/store';
import { encodeUtf8 } from './bytes.js';
import { RecordError } from './record-error.js';

/** The format that is written. */
const FORMAT = 1;
/** The maximum length of a device's name, in UTF-16 code units. */
export const MAX_DEVICE_NAME_LENGTH = 100;
/** The maximum length of the JSON of the fields that a later version may have added, in UTF-16 code units. */
export const MAX_UNKNOWN_LENGTH = 65_536;
/** The maximum number of pieces of a file: of 512 KiB each. */
const MAX_FILE_PIECES = MAX_FILE_BYTES / (512 * 1024);
/** The maximum number of pieces of a packed payload: more than its maximum size needs. */
export const MAX_PACKED_PIECES = 128;
/** The maximum number of versions that a version names. */
export const MAX_PAST = 16;
/** The maximum counter: it leaves room for 2^40 more. */
export const MAX_COUNTER = Number.MAX_SAFE_INTEGER - 2 ** 40;
/** The latest time that a Date can hold, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;

/** The fields of every payload. Fields of later versions are kept, and written again. */
interface PayloadBase {
  v: number;
  /** The key: the note's id, the file's path, or the device's id. */
  key: string;
  /** A number that grows with each write, so that a device notices a server that shows an older one. */
  counter: number;
  /** The id of this version of an entry. Earlier versions of this package wrote none. */
  id?: string;
  /** The ids of the versions that it has come from, the latest last, as far as they are known. */
  past?: readonly string[];
  [field: string]: unknown;
}

/** The fields of notes and files. Times are milliseconds since 1970. */
interface EntryPayload extends PayloadBase {
  createdAt: number;
  updatedAt: number;
  audience?: string[];
  priority?: number;
}

/** A note. */
export interface NotePayload extends EntryPayload {
  kind: 'note';
  title: string;
  /** The text in Markdown. */
  text: string;
  tags: string[];
}

/** A file. */
export interface FilePayload extends EntryPayload {
  kind: 'file';
  mediaType: string;
  /** The size in bytes. */
  size: number;
  /** The digest as the store computes it: 64 hexadecimal digits. */
  digest: string;
  /** The names of the file's pieces, in their order. */
  pieces: string[];
}

/** The deletion of an entry: sealed, so that no server can delete one. */
export interface DeletionPayload extends PayloadBase {
  kind: 'note' | 'file';
  deleted: true;
  /** The time of the deletion, in milliseconds since 1970. */
  at: number;
}

/** An entry whose payload is in pieces, because it is too large for a record. */
export interface PackedPayload extends PayloadBase {
  kind: 'note' | 'file';
  /** The names of the pieces; together they are the packed payload. */
  packed: string[];
}

/** A device of the user. */
export interface DevicePayload extends PayloadBase {
  kind: 'device';
  /** The name for people. */
  name: string;
  /** The time when it was last in use, in milliseconds since 1970. */
  seenAt: number;
}

/** The content of a record. */
export type Payload = NotePayload | FilePayload | DeletionPayload | PackedPayload | DevicePayload;

type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

const isPieces: Check = (names) => isNames(names, MAX_FILE_PIECES);
const isPacked: Check = (names) => isNames(names, MAX_PACKED_PIECES);
/** The fields that any payload may have. The last three belong to some kinds, but are looked for in all. */
const optional: Checks = {
  audience: isAudience,
  priority: isPriority,
  id: isVersion,
  past: (ids) => isList(ids, MAX_PAST) && ids.every(isVersion),
  text: (text) => isText(text, MAX_TEXT_BYTES),
  pieces: isPieces,
  packed: isPacked,
};
const base: Checks = { v: (v) => v === FORMAT, counter: (value) => isCount(value, 1, MAX_COUNTER) };
const entry: Checks = { ...base, createdAt: isTime, updatedAt: isTime };
const deletion: Checks = { ...base, deleted: (value) => value === true, at: isTime };
const packed: Checks = { ...base, packed: isPacked };
/** The fields that each kind must have. */
const kinds = {
  note: {
    ...entry,
    // A ULID.
    key: matches(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
    title: (title) => isText(title, MAX_TITLE_LENGTH),
    text: (text) => isText(text, MAX_TEXT_BYTES) && encodeUtf8(text).length <= MAX_TEXT_BYTES,
    tags: (tags) => isList(tags, MAX_TAGS) && tags.every((tag) => isText(tag, MAX_TAG_LENGTH)),
  },
  file: {
    ...entry,
    key: isPath,
    mediaType: (type) => isText(type, MAX_MEDIA_TYPE_LENGTH) && /^[\w.+-]+\/[\w.+-]+$/.test(type),
    size: (size) => isCount(size, 0, MAX_FILE_BYTES),
    digest: matches(/^[0-9a-f]{64}$/),
    pieces: isPieces,
  },
  device: {
    ...base,
    key: matches(/^[\w-]{1,64}$/),
    // Lists show the names of devices to people. So a name has no line breaks, and no characters that change
    // the direction of other texts.
    name: (name) => isText(name, MAX_DEVICE_NAME_LENGTH) && !/[\p{Cc}\p{Bidi_C}]/u.test(name),
    seenAt: isTime,
  },
} satisfies Record<string, Checks>;

/**
 * Checks a payload that a device with the keys has written, because this device may still be hostile. Every
 * payload passes that the store can hold.
 *
 * @returns The value itself.
 * @throws {RecordError} `invalid`, or `newer` if a later version has written it.
 */
export function checkPayload(value: unknown): Payload {
  if (typeof value !== 'object' || value === null) throw invalid('it is not an object');
  const fields = value as Readonly<Record<string, unknown>>;
  if (isCount(fields['v'], FORMAT + 1, Number.MAX_SAFE_INTEGER)) {
    throw new RecordError('newer', 'A later version has written the entry: update this one.');
  }
  const required = checksOf(fields);
  for (const [field, isValid] of Object.entries(required)) {
    if (!Object.hasOwn(fields, field) || !isValid(fields[field])) throw invalid(field);
  }
  for (const [field, isValid] of Object.entries(optional)) {
    if (Object.hasOwn(fields, field) && !isValid(fields[field])) throw invalid(field);
  }
  const known = new Set(['kind', ...Object.keys(required), ...Object.keys(optional)]);
  checkUnknown(Object.entries(fields).filter(([field]) => !known.has(field)));
  return value as Payload;
}

function checksOf(fields: Readonly<Record<string, unknown>>): Checks {
  const kind = fields['kind'];
  if (kind === 'device') return kinds.device;
  if (kind !== 'note' && kind !== 'file') throw invalid('kind');
  const { key } = kinds[kind];
  if (Object.hasOwn(fields, 'deleted')) return { ...deletion, key };
  return Object.hasOwn(fields, 'packed') ? { ...packed, key } : kinds[kind];
}

function checkUnknown(entries: [field: string, value: unknown][]): void {
  if (entries.some(([field]) => field === '__proto__')) throw invalid('__proto__');
  try {
    if (JSON.stringify(entries).length <= MAX_UNKNOWN_LENGTH) return;
  } catch {
    // The value is nested deeper than JavaScript can follow.
  }
  throw invalid('too much in fields of a later version');
}

function invalid(reason: string): RecordError {
  return new RecordError('invalid', `The entry of a device is invalid: ${reason}.`);
}

function isCount(value: unknown, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && min <= (value as number) && (value as number) <= max;
}

function isTime(value: unknown): boolean {
  return isCount(value, -MAX_TIME, MAX_TIME);
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && value.isWellFormed();
}

function matches(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value);
}

function isVersion(value: unknown): boolean {
  return typeof value === 'string' && /^[\w-]{8}$/.test(value);
}

function isList(value: unknown, maxLength: number): value is unknown[] {
  return Array.isArray(value) && value.length <= maxLength;
}

function isNames(value: unknown, max: number): boolean {
  return isList(value, max) && value.every(matches(/^[\w-]{22}$/));
}

function isPath(path: unknown): boolean {
  return (
    isText(path, MAX_PATH_BYTES) &&
    encodeUtf8(path).length <= MAX_PATH_BYTES &&
    !path.includes('\0') &&
    path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
  );
}

function isAudience(value: unknown): boolean {
  const members: readonly unknown[] = ['user', 'assistant'];
  const isDistinct = isList(value, 2) && new Set(value).size === value.length;
  return isDistinct && value.length > 0 && value.every((member) => members.includes(member));
}

function isPriority(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

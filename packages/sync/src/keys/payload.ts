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
/** The longest name of a device, in UTF-16 code units. */
export const MAX_DEVICE_NAME_LENGTH = 100;
/** The longest JSON of the fields that a later version may have added, in UTF-16 code units. */
export const MAX_UNKNOWN_LENGTH = 65_536;
/** The most pieces of a file: of 512 KiB each. */
const MAX_FILE_PIECES = MAX_FILE_BYTES / (512 * 1024);
/** The most pieces of a packed payload: more than its largest size needs. */
export const MAX_PACKED_PIECES = 128;
/** The most versions that a version names. */
export const MAX_PAST = 16;
/** The highest counter: it leaves room for 2^40 more. */
const MAX_COUNTER = Number.MAX_SAFE_INTEGER - 2 ** 40;
/** The latest time that a Date can hold, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;

/** What every payload has. Fields of later versions are kept, and written again. */
interface PayloadBase {
  v: number;
  /** The note's id, the file's path, the device's id. */
  key: string;
  /** One more with each write, so that a device notices a server that shows an older one. */
  counter: number;
  /** Names this version of an entry. A version before had none. */
  id?: string;
  /** The versions that it has come from, the latest last, as far as they are known. */
  past?: readonly string[];
  [field: string]: unknown;
}

/** What notes and files have. Times are milliseconds since 1970. */
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
  /** Markdown. */
  text: string;
  tags: string[];
}

/** A file. */
export interface FilePayload extends EntryPayload {
  kind: 'file';
  mediaType: string;
  /** In bytes. */
  size: number;
  /** As the store computes it: 64 hexadecimal digits. */
  digest: string;
  /** The names of its pieces, in their order. */
  pieces: string[];
}

/** That an entry is deleted: sealed, so that no server can delete one. */
export interface DeletionPayload extends PayloadBase {
  kind: 'note' | 'file';
  deleted: true;
  /** When, in milliseconds since 1970. */
  at: number;
}

/** An entry whose payload is in pieces, since it is too large for a record. */
export interface PackedPayload extends PayloadBase {
  kind: 'note' | 'file';
  /** The names of the pieces; together they are the packed payload. */
  packed: string[];
}

/** A device of the user. */
export interface DevicePayload extends PayloadBase {
  kind: 'device';
  /** For people. */
  name: string;
  /** When it was last in use, in milliseconds since 1970. */
  seenAt: number;
}

/** What a record contains. */
export type Payload = NotePayload | FilePayload | DeletionPayload | PackedPayload | DevicePayload;

type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

const optional: Checks = {
  audience: isAudience,
  priority: isPriority,
  id: isVersion,
  past: (ids) => isList(ids, MAX_PAST) && ids.every(isVersion),
};
const base: Checks = { v: (v) => v === FORMAT, counter: (value) => isCount(value, 1, MAX_COUNTER) };
const entry: Checks = { ...base, createdAt: isTime, updatedAt: isTime };
const deletion: Checks = { ...base, deleted: (value) => value === true, at: isTime };
const packed: Checks = { ...base, packed: (value) => isNames(value, MAX_PACKED_PIECES) };
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
    pieces: (pieces) => isNames(pieces, MAX_FILE_PIECES),
  },
  device: {
    ...base,
    key: matches(/^[\w-]{1,64}$/),
    // Devices are listed for people: no line breaks, and nothing that turns the direction of others.
    name: (name) => isText(name, MAX_DEVICE_NAME_LENGTH) && !/[\p{Cc}\p{Bidi_C}]/u.test(name),
    seenAt: isTime,
  },
} satisfies Record<string, Checks>;

/**
 * Checks a payload that a device with the keys has written, which may still be hostile. What the store
 * can hold passes.
 *
 * @returns the value itself
 * @throws {RecordError} `invalid`, or `newer` where a later version has written it
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
    // Nested deeper than JavaScript can follow.
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

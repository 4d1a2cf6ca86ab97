import type { Audience } from './schema.js';
import { StoreError } from '../errors/store-error.js';

/** The longest title of a note, in UTF-16 code units. */
export const MAX_TITLE_LENGTH = 1_000;
/** The longest text of a note, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** The most notes that one call can create. */
export const MAX_NOTES_AT_ONCE = 10_000;
/** The most text of all notes that one call creates, in bytes of UTF-8. */
export const MAX_TEXT_BYTES_AT_ONCE = 64 * 1024 * 1024;
/** The most tags of a note. */
export const MAX_TAGS = 100;
/** The longest tag, in UTF-16 code units. */
export const MAX_TAG_LENGTH = 100;
/** The largest file, in bytes: 64 GiB, which are 4,096 pieces. The browser's quota may be smaller. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024 * 1024;
/** The longest path of a file, in bytes of UTF-8: percent-encoded it stays below 2 KiB. */
export const MAX_PATH_BYTES = 640;
/** The longest media type of a file, in characters. */
export const MAX_MEDIA_TYPE_LENGTH = 127;
/** The longest query of a search, in UTF-16 code units. */
export const MAX_QUERY_LENGTH = 1_000;
/** The most different words of a query; more are ignored. */
export const MAX_QUERY_WORDS = 20;
/** The most different words of a text that are indexed: the first ones. */
export const MAX_INDEXED_WORDS = 50_000;
/** The most matches that one search may ask for. */
export const MAX_MATCHES = 100;
/** The longest idempotency key, in UTF-16 code units. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 200;
/** The most entries that one page of a list may ask for. */
export const MAX_PAGE = 10_000;
/** The most entries of an archive, the manifest and folders included. */
export const MAX_ARCHIVE_ENTRIES = 1_000_000;

/** The length of a string in bytes of UTF-8. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** @throws {StoreError} `invalid-argument` unless it is a string within the limit. */
export function checkTitle(title: unknown): asserts title is string {
  if (typeof title !== 'string') refuse('The title of a note must be a string.');
  if (title.length > MAX_TITLE_LENGTH) {
    refuse(`The title has ${title.length} characters; at most ${MAX_TITLE_LENGTH} are allowed.`);
  }
}

/** @throws {StoreError} `invalid-argument` unless it is a string within the limit. */
export function checkText(text: unknown): asserts text is string {
  if (typeof text !== 'string') refuse('The text of a note must be a string.');
  const size = utf8Length(text);
  if (size > MAX_TEXT_BYTES) {
    refuse(`The text has ${size} bytes; at most ${MAX_TEXT_BYTES} are allowed.`);
  }
}

/** @throws {StoreError} `invalid-argument` unless they are strings within the limits. */
export function checkTags(tags: unknown): asserts tags is string[] {
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) {
    refuse('The tags of a note must be an array of strings.');
  }
  if (tags.length > MAX_TAGS) {
    refuse(`The note has ${tags.length} tags; at most ${MAX_TAGS} are allowed.`);
  }
  const long = tags.find((tag) => tag.length > MAX_TAG_LENGTH);
  if (long !== undefined) {
    refuse(`A tag has ${long.length} characters; at most ${MAX_TAG_LENGTH} are allowed.`);
  }
}

/** @throws {StoreError} `invalid-argument` unless it is a Blob within the limit. */
export function checkFileBytes(blob: unknown): asserts blob is Blob {
  if (!(blob instanceof Blob)) refuse('The content of a file must be a Blob.');
  if (blob.size > MAX_FILE_BYTES) {
    refuse(`The file has ${blob.size} bytes; at most ${MAX_FILE_BYTES} are allowed.`);
  }
}

/**
 * A path is one or more names joined by `/`. Empty names, `.` and `..` are rejected, not resolved: a path
 * is an exact name, and two spellings of one path would be two files.
 *
 * @throws {StoreError} `invalid-argument` unless the path can name a file.
 */
export function checkPath(path: unknown): asserts path is string {
  if (typeof path !== 'string') refuse('The path of a file must be a string.');
  if (/[\0\p{Surrogate}]/u.test(path)) {
    refuse('The path of a file must not contain NUL or half a surrogate pair.');
  }
  if (path.split('/').some((name) => name === '' || name === '.' || name === '..')) {
    refuse(
      'The path of a file must be names joined by single slashes, with no slash at either end and no name "." or "..".',
    );
  }
  const size = utf8Length(path);
  if (size > MAX_PATH_BYTES) {
    refuse(`The path has ${size} bytes; at most ${MAX_PATH_BYTES} are allowed.`);
  }
}

/** @throws {StoreError} `invalid-argument` unless it is a string. An unknown id is `not-found`. */
export function checkId(id: unknown): asserts id is string {
  if (typeof id !== 'string') refuse('The id of a note must be a string.');
}

/** @throws {StoreError} `invalid-argument` unless it is a whole number from 1 to {@link MAX_PAGE}. */
export function checkPageSize(limit: unknown): asserts limit is number {
  if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > MAX_PAGE) {
    refuse(`The limit of a page must be 1 to ${MAX_PAGE} entries.`);
  }
}

const AUDIENCES: readonly unknown[] = ['user', 'assistant'] satisfies Audience[];

/** @throws {StoreError} `invalid-argument` unless it has one or both members, each once. */
export function checkAudience(audience: unknown): asserts audience is Audience[] {
  const valid =
    Array.isArray(audience) &&
    audience.length > 0 &&
    audience.every((member) => AUDIENCES.includes(member)) &&
    new Set(audience).size === audience.length;
  if (!valid) refuse('The audience must be an array of "user", "assistant" or both, each once.');
}

/** @throws {StoreError} `invalid-argument` unless it is a number from 0 to 1. */
export function checkPriority(priority: unknown): asserts priority is number {
  // In this form the comparison rejects NaN.
  if (typeof priority === 'number' && priority >= 0 && priority <= 1) return;
  refuse('The priority must be a number from 0 to 1.');
}

/** @throws {StoreError} `invalid-argument` unless it is `type/subtype` within the limit. */
export function checkMediaType(mediaType: unknown): asserts mediaType is string {
  if (typeof mediaType !== 'string') refuse('The media type of a file must be a string.');
  if (mediaType.length > MAX_MEDIA_TYPE_LENGTH) {
    refuse(
      `The media type has ${mediaType.length} characters; at most ${MAX_MEDIA_TYPE_LENGTH} are allowed.`,
    );
  }
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(mediaType)) {
    refuse('The media type must be like "text/plain", without parameters.');
  }
}

/** @throws {StoreError} `invalid-argument` unless it is a string within the limit. */
export function checkQuery(query: unknown): asserts query is string {
  if (typeof query !== 'string') refuse('The query of a search must be a string.');
  if (query.length > MAX_QUERY_LENGTH) {
    refuse(`The query has ${query.length} characters; at most ${MAX_QUERY_LENGTH} are allowed.`);
  }
}

/** @throws {StoreError} `invalid-argument` unless it is a string. */
export function checkTag(tag: unknown): asserts tag is string {
  if (typeof tag !== 'string') refuse('The tag of a search must be a string.');
}

/** @throws {StoreError} `invalid-argument` unless it is a whole number from 1 to {@link MAX_MATCHES}. */
export function checkMatchLimit(limit: unknown): asserts limit is number {
  if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > MAX_MATCHES) {
    refuse(`The limit of a search must be 1 to ${MAX_MATCHES} matches.`);
  }
}

/** @throws {StoreError} `invalid-argument` unless it is a string within the limit, and not ''. */
export function checkIdempotencyKey(key: unknown): asserts key is string {
  if (typeof key !== 'string') refuse('An idempotency key must be a string.');
  // A line break separates the holder from the key.
  if (key.includes('\n')) refuse('An idempotency key must not contain a line break.');
  if (key === '' || key.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    refuse(
      `The idempotency key has ${key.length} characters; 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} are allowed.`,
    );
  }
}

function refuse(message: string): never {
  throw new StoreError('invalid-argument', message);
}

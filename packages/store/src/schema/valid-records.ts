import type { Annotations, NoteSummary, PiecedBytes, StoredBytes, StoredFile } from './schema.js';

/**
 * Checks of the shape of stored values. It may be wrong: any script of the origin can write to the database,
 * and Chromium returns null for a record that it can no longer decode.
 */

type Fields<Record> = { readonly [name in keyof Record]?: unknown };

/** Whether a value is the record of a note. */
export function isNoteSummary(value: unknown): value is NoteSummary {
  if (!isObject(value)) return false;
  const { id, title, tags, firstLine } = value as Fields<NoteSummary>;
  return (
    [id, title, firstLine].every(isString) &&
    Array.isArray(tags) &&
    tags.every(isString) &&
    isVersioned(value) &&
    isAnnotated(value)
  );
}

/** Whether a value is the record of a file. */
export function isStoredFile(value: unknown): value is StoredFile {
  if (!isObject(value)) return false;
  const { path, mediaType, digest } = value as Fields<StoredFile>;
  return (
    isString(path) &&
    isString(mediaType) &&
    (digest === undefined || isString(digest)) &&
    isVersioned(value) &&
    isAnnotated(value)
  );
}

/** Whether a value is the bytes of a file, or of a piece of a file. */
export function isStoredBytes(value: unknown): value is StoredBytes {
  return value instanceof Blob || value instanceof ArrayBuffer;
}

/** Whether a value refers to the pieces of a file. */
export function isPiecedBytes(value: unknown): value is PiecedBytes {
  if (!isObject(value)) return false;
  const { content, pieces } = value as Fields<PiecedBytes>;
  return isString(content) && isCount(pieces);
}

function isVersioned(value: object): boolean {
  const { size, createdAt, updatedAt, revision } = value as Fields<StoredFile>;
  return isCount(size) && isCount(revision) && [createdAt, updatedAt].every(Number.isFinite);
}

function isAnnotated(value: object): boolean {
  const { audience, priority } = value as Fields<Annotations>;
  return (
    (audience === undefined || (Array.isArray(audience) && audience.every(isString))) &&
    (priority === undefined || Number.isFinite(priority))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

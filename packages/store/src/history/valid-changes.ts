import type { ChangeContents, ClientChange, LineChange, LinePlace } from '../schema/schema.js';
import { isNoteSummary, isStoredBytes, isStoredFile } from '../schema/valid-records.js';

/**
 * Checks of the shape of stored values. It may be wrong: any script of the origin can write to the database,
 * and Chromium returns null for a record that it can no longer decode.
 */

const KINDS: readonly unknown[] = ['note', 'file'];
const TYPES: readonly unknown[] = ['created', 'updated', 'deleted', 'moved'];

/** The latest time that a `Date` can hold, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;

/** Whether a value is the record of a change. */
export function isClientChange(value: unknown): value is ClientChange {
  if (typeof value !== 'object' || value === null) return false;
  const { run, connection, name, owner, at, kind, key, type, from, title, bytes } = value as {
    [field in keyof ClientChange]?: unknown;
  };
  return (
    [run, name, owner ?? '', key, title, from ?? ''].every(isWellFormed) &&
    [at, connection, bytes].every((number) => Number.isFinite(number)) &&
    Math.abs(at as number) <= MAX_TIME &&
    KINDS.includes(kind) &&
    TYPES.includes(type)
  );
}

/** Whether a value is the contents that are needed to undo this change. */
export function isContentsOf(
  value: unknown,
  { kind, type, from }: ClientChange,
): value is ChangeContents {
  if (typeof value !== 'object' || value === null) return false;
  const { before, after, lines, text, content, replaced } = value as {
    [field in keyof ChangeContents]?: unknown;
  };
  const isRecord = kind === 'note' ? isNoteSummary : isStoredFile;
  if (type !== 'created' && !isRecord(before)) return false;
  if (type !== 'deleted' && !isRecord(after)) return false;
  if (type === 'moved') {
    return from !== undefined && (replaced === undefined || isOverwritten(replaced, content));
  }
  if (kind === 'note')
    return (lines === undefined || isLineChange(lines)) && (type !== 'deleted' || isString(text));
  return type === 'created' || isStoredBytes(content);
}

const isOverwritten = (record: unknown, content: unknown): boolean =>
  isStoredFile(record) && isStoredBytes(content);

function isLineChange(value: unknown): value is LineChange {
  if (typeof value !== 'object' || value === null) return false;
  const { start, removed, added, lead, trail, total, equal, places } = value as {
    [field in keyof LineChange]?: unknown;
  };
  return (
    [start, total, equal].every(isCount) &&
    [removed, added, lead, trail].every(isLines) &&
    Array.isArray(places) &&
    places.every(isPlace)
  );
}

function isPlace(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { lead, trail } = value as { [field in keyof LinePlace]?: unknown };
  return isCount(lead) && isCount(trail);
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isLines = (value: unknown): boolean => Array.isArray(value) && value.every(isString);

const isString = (value: unknown): value is string => typeof value === 'string';

const isWellFormed = (value: unknown): boolean => isString(value) && value.isWellFormed();

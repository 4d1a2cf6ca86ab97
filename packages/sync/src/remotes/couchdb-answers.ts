// The checked answers of a database with CouchDB's protocol, and the documents that it stores.
import { fromBase64 } from '@inpage-mcp/encoding';
import { MAX_RECORD_BYTES, RemoteError } from './remote.js';

/** The maximum size of an answer, in bytes. */
export const MAX_ANSWER_BYTES = 16_000_000;

/** Matches a revision as CouchDB and PouchDB write it. */
export const REVISION = /^[1-9]\d{0,14}-\w{1,64}$/;

export type Json = Record<string, unknown>;

/** A row of `_changes` or `_all_docs`. */
export interface Row {
  id: string;
  revision: string;
}

export interface ChangeRow extends Row {
  deleted: boolean;
  position: string;
}

/** A document. Its `write` ensures that two writes never have the same revision, which is a digest. */
export const documentOf = (bytes: Uint8Array | null, revision: string): Json => ({
  ...(revision !== '' && { _rev: revision }),
  ...(bytes ? { bytes: toBase64(bytes) } : { deleted: true }),
  write: crypto.randomUUID(),
});

/** The bytes of the document of an id; none if it is malformed: see RemoteRecord. */
export function bytesOf(document: unknown, id: string): Uint8Array | null {
  const { _id: found, bytes, deleted } = objectOf(document);
  if (found !== id) throw invalid(`another document as ${id}`);
  if (deleted === true) return null;
  try {
    const decoded = fromBase64(textOf(bytes));
    if (decoded.length <= MAX_RECORD_BYTES) return decoded;
  } catch {
    // The bytes are not base64.
  }
  return new Uint8Array();
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  // The bytes are converted in parts, because the number of arguments of a call is limited.
  for (let start = 0; start < bytes.length; start += 8_192)
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  return btoa(binary);
}

export function changeRowOf(value: unknown): ChangeRow {
  const { id, seq, changes, deleted } = objectOf(value);
  const revision = revisionOf(objectOf(listOf(changes)[0])['rev']);
  return { id: textOf(id), revision, deleted: deleted === true, position: positionOf(seq) };
}

export function rowOf(row: unknown): Row {
  const { id, value } = objectOf(row);
  return { id: textOf(id), revision: revisionOf(objectOf(value)['rev']) };
}

/** The number that a revision or an update sequence begins with: PouchDB's sequences have nothing else. */
export const numberOf = (text: string): number => Number.parseInt(text, 10);

export function positionOf(value: unknown): string {
  const position = String(value);
  if (/^\d{1,15}(?:$|-.{1,8000}$)/.test(position)) return position;
  throw invalid('no update sequence');
}

export function revisionOf(value: unknown): string {
  if (typeof value === 'string' && REVISION.test(value)) return value;
  throw invalid('no revision');
}

export function objectOf(value: unknown): Json {
  if (typeof value === 'object' && value !== null) return value as Json;
  throw invalid('no object');
}

export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw invalid('no list');
}

export function textOf(value: unknown, maxLength = MAX_ANSWER_BYTES): string {
  if (typeof value === 'string' && value.length <= maxLength) return value;
  throw invalid('no text');
}

export const invalid = (what: string): RemoteError =>
  new RemoteError('invalid', `The server answers with ${what}.`);

export const unavailable = (what: string, cause?: unknown): RemoteError =>
  new RemoteError('unavailable', `The server fails: ${what}.`, { cause });

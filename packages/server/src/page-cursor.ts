import { badCursorError } from './protocol-errors.js';

/** Where a page of the joined list starts. */
export interface PagePosition {
  /** The name of the provider whose list the page starts in. */
  provider: string;
  /** That provider's own position; absent at its start. */
  after?: string;
  /** How many pages came before. */
  page: number;
}

/** Longer than any cursor that is made here, in characters: positions are ids, paths and uris. */
export const MAX_CURSOR_LENGTH = 16_384;

/**
 * The position as a cursor, opaque to clients: base64url of a small JSON array
 * (Utilities › Pagination).
 */
export function encodeCursor({ provider, after, page }: PagePosition): string {
  const json = JSON.stringify(after === undefined ? [page, provider] : [page, provider, after]);
  const binary = String.fromCharCode(...new TextEncoder().encode(json));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @throws {ProtocolError} −32602 for anything that {@link encodeCursor} did not make. */
export function decodeCursor(cursor: string): PagePosition {
  if (cursor.length > MAX_CURSOR_LENGTH) throw badCursorError();
  const fields = parse(cursor);
  if (!Array.isArray(fields)) throw badCursorError();
  const [page, provider, after] = fields as unknown[];
  if (!Number.isSafeInteger(page) || (page as number) < 1) throw badCursorError();
  if (typeof provider !== 'string') throw badCursorError();
  if (after !== undefined && typeof after !== 'string') throw badCursorError();
  const position: PagePosition = { provider, page: page as number };
  if (after !== undefined) position.after = after;
  // One spelling for each position: what differs in a byte was not made here.
  if (encodeCursor(position) !== cursor) throw badCursorError();
  return position;
}

function parse(cursor: string): unknown {
  try {
    const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badCursorError();
  }
}

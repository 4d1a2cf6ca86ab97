/**
 * The maximum length of a cursor, in characters: longer than any cursor that the server makes from names,
 * ids, paths and uris.
 */
export const MAX_CURSOR_LENGTH = 16_384;

/** The start of a page, as plain values. */
export type Position = readonly (string | number)[];

/**
 * A position as a cursor, opaque to clients: base64url of a small JSON array
 * (Utilities › Pagination).
 */
export function encodeCursor(position: Position): string {
  const bytes = new TextEncoder().encode(JSON.stringify(position));
  const binary = String.fromCharCode(...bytes);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The position of a cursor; `undefined` for any text that {@link encodeCursor} did not make. */
export function decodeCursor(cursor: string): Position | undefined {
  if (cursor.length > MAX_CURSOR_LENGTH) return undefined;
  const position = parse(cursor);
  if (!Array.isArray(position)) return undefined;
  const isPlain = position.every((part) => typeof part === 'string' || Number.isSafeInteger(part));
  // Each position has one encoding: a cursor that differs in a byte was not made here.
  return isPlain && encodeCursor(position) === cursor ? position : undefined;
}

function parse(cursor: string): unknown {
  try {
    const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

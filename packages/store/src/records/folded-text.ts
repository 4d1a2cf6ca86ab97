import { foldText } from '@inpage-mcp/encoding';

/**
 * The number of UTF-16 code units of a text that are folded at a time. Normalization sorts combining marks in
 * quadratic time: a long run of them, in one piece, would take hours.
 */
const PIECE_LENGTH = 500;

/**
 * The form in which texts are compared: NFKC (which replaces full-width characters and ligatures by
 * plain ones), in lower case, without accents: `Café` is `cafe`, and `Straße` is `strasse`. It may be
 * shorter or longer than the text. Takes linear time.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return Array.from(piecesOf(text), foldText).join('');
}

/** Converts a position in the folded text to a position in the text, both in code units. */
export function positionBeforeFolding(text: string, position: number): number {
  if (isAscii(text)) return position;
  let start = 0;
  let foldedStart = 0;
  for (const piece of piecesOf(text)) {
    const { length } = foldText(piece);
    if (foldedStart + length > position) {
      return start + positionInPiece(piece, position - foldedStart);
    }
    start += piece.length;
    foldedStart += length;
  }
  return text.length;
}

/** Binary search for the longest prefix of the piece whose folded length is at most the position. */
function positionInPiece(piece: string, position: number): number {
  let low = 0;
  let high = piece.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (foldText(piece.slice(0, middle)).length <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The text in pieces that can be folded separately. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const piece = text.slice(start, start + PIECE_LENGTH);
    const isLast = start + piece.length === text.length;
    const length = isLast ? piece.length : lengthOfWholeWords(piece);
    yield piece.slice(0, length);
    start += length;
  }
}

/**
 * The position at which a piece is cut: between words if possible, else between characters, else at its end.
 */
function lengthOfWholeWords(piece: string): number {
  const space = piece.search(/\s\S*$/);
  if (space > 0) return space;
  const character = piece.search(/\P{Mark}\p{Mark}*$/u);
  return character > 0 ? character : piece.length;
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

import { overRequest } from '../context/omissions.js';
import { bytesOfText } from '../context/source.js';
import { MANY_IMAGES, whyNotAmongMany, type TakenMedia } from '../context/taken-media.js';
import { note, notGiven, text, type Piece } from './answer-pieces.js';

/**
 * The pieces of an answer that fit into the budget and into a request: at least one. The remarks at its end,
 * which report that the rest is omitted, do not count.
 *
 * @param parts Parts after the end of the budget are not requested.
 */
export async function withinBudget(
  parts: AsyncIterable<readonly Piece[]>,
  budget: number,
  taken: TakenMedia,
): Promise<Piece[]> {
  const kept = await fitting(parts, budget);
  if (kept.length === 0) return [note('The tool has run, but returned no content.')];
  return withinRequest(withoutLargeOfMany(kept, taken), taken);
}

async function fitting(parts: AsyncIterable<readonly Piece[]>, budget: number): Promise<Piece[]> {
  const kept: Piece[] = [];
  let rest = budget;
  for await (const part of parts) {
    for (const piece of part) {
      if (rest < 0) return [...kept, note('All after this is left out.')];
      for (const one of piece.tokens <= rest ? [piece] : partly(piece, rest)) {
        kept.push(one);
        rest -= one.tokens;
      }
    }
  }
  return kept;
}

/** The pieces with a remark for each that does not fit into a request with those before it. */
function withinRequest(pieces: Piece[], { maxRequestBytes = Infinity }: TakenMedia): Piece[] {
  let bytes = 0;
  return pieces.map((piece) => {
    const fits = bytes + bytesOf(piece) <= maxRequestBytes;
    const own = fits ? piece : remarkOf(piece, overRequest(maxRequestBytes).message);
    bytes += bytesOf(own);
    return own;
  });
}

/** The pieces with a remark for each image that the API does not accept among so many. */
function withoutLargeOfMany(pieces: Piece[], taken: TakenMedia): Piece[] {
  if (pieces.filter(({ kind }) => kind === 'image').length <= MANY_IMAGES) return pieces;
  return pieces.map((piece) => {
    const reason = piece.kind === 'image' ? whyNotAmongMany(piece, taken) : undefined;
    return reason === undefined ? piece : remarkOf(piece, reason);
  });
}

/** The remark in the place of a piece. */
function remarkOf(piece: Piece, reason: string): Piece {
  if (piece.kind !== 'text') return notGiven(piece, reason);
  return notGiven({ type: 'text', size: bytesOf(piece) }, reason);
}

/** The number of bytes that a piece has in a request. */
const bytesOf = (piece: Piece): number =>
  piece.kind === 'text' ? bytesOfText(piece.text) : piece.data.length;

/** The part of a piece that still fits, and a remark. */
function partly(piece: Piece, rest: number): Piece[] {
  if (piece.kind !== 'text') return [note(`${piece.name} is too large, and was left out.`)];
  const kept = beginning(piece.text, rest);
  const remark = note(`Truncated here. The full text has about ${piece.tokens} tokens.`);
  return [...(/\S/.test(kept) ? [text(kept)] : []), remark];
}

/** The beginning of a text, with four bytes for each token, and without a partial character at the end. */
function beginning(words: string, tokens: number): string {
  const bytes = new TextEncoder().encode(words).subarray(0, Math.floor(tokens) * 4);
  return new TextDecoder().decode(bytes, { stream: true });
}

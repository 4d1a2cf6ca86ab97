import { note, text, type Piece } from './answer-pieces.js';

/**
 * The pieces of an answer that fit into the budget: at least one. The remarks at its end, which report that
 * the rest is omitted, do not count.
 *
 * @param parts Parts after the end of the budget are not requested.
 */
export async function withinBudget(
  parts: AsyncIterable<readonly Piece[]>,
  budget: number,
): Promise<Piece[]> {
  const kept: Piece[] = [];
  let rest = budget;
  for await (const part of parts) {
    for (const piece of part) {
      if (rest < 0) return [...kept, note('All after this is left out.')];
      const fitting = piece.tokens <= rest ? [piece] : partly(piece, rest);
      kept.push(...fitting);
      rest -= fitting.reduce((sum, { tokens }) => sum + tokens, 0);
    }
  }
  return kept.length > 0 ? kept : [note('The tool has run, but returned no content.')];
}

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

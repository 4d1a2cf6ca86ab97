import { note, text, type Piece } from './answer-pieces.js';

/**
 * The pieces of an answer that fit into the budget: at least one. The two remarks at its end, which say that
 * the rest is left out, do not count.
 *
 * @param parts Those after the end of the budget are not asked for.
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

/** As much as possible of a piece that does not fit, and a remark. */
function partly(piece: Piece, rest: number): Piece[] {
  if (piece.kind !== 'text') return [note(`${piece.name} is too large, and was left out.`)];
  const kept = beginning(piece.text, rest);
  const remark = note(`Truncated here. The full text has about ${piece.tokens} tokens.`);
  return [...(/\S/.test(kept) ? [text(kept)] : []), remark];
}

/** The beginning of a text: four bytes for each token, without a partial character at the end. */
function beginning(words: string, tokens: number): string {
  const bytes = new TextEncoder().encode(words).subarray(0, Math.floor(tokens) * 4);
  return new TextDecoder().decode(bytes, { stream: true });
}

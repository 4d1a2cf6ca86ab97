import { note, text, type Piece } from './answer-pieces.js';

/** The pieces that fit into the budget, and a remark in the place of each that does not. */
export function withinBudget(pieces: readonly Piece[], budget: number): Piece[] {
  let rest = budget;
  return pieces.flatMap((piece) => {
    const before = rest;
    rest = Math.max(0, rest - piece.tokens);
    if (piece.tokens <= before) return piece;
    if (piece.kind !== 'text') return note(`${piece.name} is too large, and was left out.`);
    const kept = beginning(piece.text, before);
    return [
      ...(/\S/.test(kept) ? [text(kept)] : []),
      note(`Truncated here. The full text has about ${piece.tokens} tokens.`),
    ];
  });
}

/** The beginning of a text: four bytes for each token, without a partial character at the end. */
function beginning(words: string, tokens: number): string {
  const bytes = new TextEncoder().encode(words).subarray(0, Math.floor(tokens) * 4);
  return new TextDecoder().decode(bytes, { stream: true });
}

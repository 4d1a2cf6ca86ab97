/**
 * The layout cost of a change of script, in code units of plain text. At each change, the browser starts a
 * new run, looks for a font for it, and orders the runs of a line by their direction: 16,384 characters that
 * alternate between Latin and Hebrew take 40 times as long as the same number of letters in one script.
 */
const SCRIPT_CHANGE_COST = 32;

/**
 * The end of a part of a text that begins at `start` and has at most the layout cost `maxCost`. The cost is
 * one for each UTF-16 code unit, and more for each change of script. The part has at least one character, and
 * never ends within a surrogate pair.
 */
export function endWithinCost(text: string, start: number, maxCost: number): number {
  let cost = 0;
  let script = -1;
  let end = start;
  while (end < text.length) {
    const codePoint = text.codePointAt(end)!;
    const next = end + (codePoint > 0xffff ? 2 : 1);
    const own = scriptOf(codePoint);
    cost += next - end + (own === -1 || own === script ? 0 : SCRIPT_CHANGE_COST);
    if (cost > maxCost && end > start) break;
    if (own !== -1) script = own;
    end = next;
  }
  return end;
}

/** A number for each script, roughly; −1 for characters that take the script of their neighbours. */
function scriptOf(codePoint: number): number {
  // Spaces, digits, and the most common punctuation.
  if (codePoint < 0x41) return -1;
  // Latin.
  if (codePoint < 0x250) return 0;
  // Chinese, Japanese and Korean are often mixed.
  if (codePoint >= 0x2e80 && codePoint < 0xd7b0) return 1;
  return codePoint >> 8;
}

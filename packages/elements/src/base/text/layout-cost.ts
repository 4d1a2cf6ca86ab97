/**
 * The cost to lay out a change of script, in code units of plain text. The browser makes a run of
 * its own at each, looks for a font for it, and orders the runs of a line by their direction:
 * 16,384 characters that alternate between Latin and Hebrew take 40 times as long as as many
 * letters.
 */
const SCRIPT_CHANGE_COST = 32;

/**
 * The end of a stretch of a text that begins at `start` and costs at most `maxCost` to lay out: one
 * for each UTF-16 code unit, more where scripts change. At least one character long; never within a
 * surrogate pair.
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

/** A number for each script, roughly; −1 for what takes the script of its neighbours. */
function scriptOf(codePoint: number): number {
  // Spaces, digits, and the most common punctuation.
  if (codePoint < 0x41) return -1;
  // Latin.
  if (codePoint < 0x250) return 0;
  // Chinese, Japanese and Korean are written with one another.
  if (codePoint >= 0x2e80 && codePoint < 0xd7b0) return 1;
  return codePoint >> 8;
}

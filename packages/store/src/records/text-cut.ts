/**
 * The part of a text between two positions in code units. Half a surrogate pair at either end is
 * dropped. Positions outside the text mean its ends.
 */
export function cut(text: string, start: number, end: number): string {
  const from = splitsPair(text, start) ? start + 1 : start;
  const to = splitsPair(text, end) ? end - 1 : end;
  return text.slice(Math.max(from, 0), Math.max(to, 0));
}

/** Whether the two code units around a position belong to one character. */
function splitsPair(text: string, position: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(
    text.slice(Math.max(position - 1, 0), position + 1),
  );
}

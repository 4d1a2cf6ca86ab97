/**
 * How much of a text is laid out, or parsed, at once: so little that no text takes long, whatever is in
 * it. In UTF-16 code units, and in lines.
 */
const MAX_LENGTH = 4_096;
const MAX_LINES = 100;

/** Where a portion of a text ends at the latest that begins at `start`; never within a surrogate pair. */
export function limitOfPortion(text: string, start: number, length = MAX_LENGTH): number {
  const part = text.slice(start, start + length);
  let end = 0;
  for (let line = 0; line < MAX_LINES; line += 1) {
    end = part.indexOf('\n', end) + 1;
    if (end > 0) continue;
    const isWhole = start + part.length === text.length;
    const splitsPair = !isWhole && part.charCodeAt(part.length - 1) >> 10 === 0xd800 >> 10;
    return start + part.length - (splitsPair ? 1 : 0);
  }
  return start + end;
}

/** Where a portion of a text ends: with its last line, or within its only one. */
export function endOfPortion(text: string, start: number): number {
  const end = limitOfPortion(text, start);
  if (end === text.length) return end;
  const lines = text.slice(start, end).lastIndexOf('\n') + 1;
  return lines > 0 ? start + lines : end;
}

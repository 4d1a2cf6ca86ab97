/**
 * The first line of a note as schema version 2 stored it.
 *
 * This is a copy, although today it equals the store's own code, because a migration is frozen, and must
 * always have the same result. If first lines change, they need another migration.
 */

/** The maximum length of a first line, in UTF-16 code units. */
const MAX_LENGTH = 200;

/**
 * The first line of a text that is not empty, without the Markdown marks at its start (`#`, `>`, `-`,
 * `*`, `1.`) and white space around it. '' if no such line exists.
 */
export function firstLineOfVersion2(text: string): string {
  const start = startOfWords(text);
  const [line = ''] = cut(text, start, start + MAX_LENGTH).split(/[\n\r\u2028\u2029]/, 1);
  return line.trim();
}

/** The position after all leading marks and white space, in linear time. */
function startOfWords(text: string): number {
  const word = /[^\s#>*-]/g;
  // Followed by a space: `3.14` is a number, not a list mark.
  const ordinal = /\d{1,9}\.(?=[ \t])/y;
  for (;;) {
    const found = word.exec(text);
    if (!found) return text.length;
    ordinal.lastIndex = found.index;
    if (!ordinal.test(text)) return found.index;
    word.lastIndex = ordinal.lastIndex;
  }
}

/** A part of a text, without half a surrogate pair at either end. */
function cut(text: string, start: number, end: number): string {
  const from = splitsPair(text, start) ? start + 1 : start;
  const to = splitsPair(text, end) ? end - 1 : end;
  return text.slice(from, to);
}

function splitsPair(text: string, position: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(
    text.slice(Math.max(position - 1, 0), position + 1),
  );
}

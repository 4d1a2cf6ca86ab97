import { cut } from './text-cut.js';

/** The longest first line that is kept, in UTF-16 code units. */
export const MAX_FIRST_LINE_LENGTH = 200;

/**
 * The first line of a text that says something, as lists show it: without the Markdown marks of
 * headings, quotes and lists at its start (`#`, `>`, `-`, `*`, `1.`), without white space around it,
 * cut to {@link MAX_FIRST_LINE_LENGTH}. '' when there is none.
 */
export function firstLineOf(text: string): string {
  const start = startOfWords(text);
  const [line = ''] = cut(text, start, start + MAX_FIRST_LINE_LENGTH).split(
    /[\n\r\u2028\u2029]/,
    1,
  );
  return line.trim();
}

/**
 * The position after all leading marks and white space. Each expression moves on from where the
 * other stopped and none backtracks: a text of nothing but spaces takes linear time too.
 */
function startOfWords(text: string): number {
  const word = /[^\s#>*-]/g;
  // With the space that makes it a list: `3.14` is a number.
  const ordinal = /\d{1,9}\.(?=[ \t])/y;
  for (;;) {
    const found = word.exec(text);
    if (!found) return text.length;
    ordinal.lastIndex = found.index;
    if (!ordinal.test(text)) return found.index;
    word.lastIndex = ordinal.lastIndex;
  }
}

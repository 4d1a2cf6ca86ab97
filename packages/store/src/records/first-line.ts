import { findFrontMatter } from './front-matter.js';
import { cut } from './text-cut.js';

/** The maximum length of the first line that is stored, in UTF-16 code units. */
export const MAX_FIRST_LINE_LENGTH = 200;

/**
 * The first line of a text that is not empty, as lists show it: after front matter, without the Markdown marks of headings,
 * quotes and lists at its start (`#`, `>`, `-`, `*`, `1.`), without white space around it, cut to
 * {@link MAX_FIRST_LINE_LENGTH}. '' if no such line exists.
 */
export function firstLineOf(text: string): string {
  const start = startOfWords(text, findFrontMatter(text)?.bodyStart);
  const [line = ''] = cut(text, start, start + MAX_FIRST_LINE_LENGTH).split(
    /[\n\r\u2028\u2029]/,
    1,
  );
  return line.trim();
}

/**
 * The position after all leading marks and white space. Each expression continues where the other
 * stopped, without backtracking: a text of only spaces takes linear time too.
 */
function startOfWords(text: string, from = 0): number {
  const word = /[^\s#>*-]/g;
  word.lastIndex = from;
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

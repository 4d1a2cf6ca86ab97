import { fold } from '../../records/folded-text.js';

/**
 * The number of UTF-16 code units of a word that count: longer words are truncated. The longest words of any
 * language are shorter; longer ones are data.
 */
const MAX_WORD_LENGTH = 64;

/** The number of UTF-16 code units of a text that are split into words at a time. */
const PIECE_LENGTH = 16_384;

/** The maximum distance from its end at which a piece is cut, to cut it between two words. */
const MAX_CUT_LENGTH = 2_048;

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
let unspaced: RegExp | undefined;

/** Shared: creating it costs more than using it. Created on first use, not to delay the start. */
let segmenter: Intl.Segmenter | undefined;

/**
 * The number of UTF-16 code units of a run that are segmented at a time. The time that browsers take for each
 * word grows with the length of the text around it.
 */
const WINDOW_LENGTH = 200;

/**
 * The words of a text in their order, with duplicates: folded (see `fold`) and truncated to
 * {@link MAX_WORD_LENGTH}. Notes, paths and queries are all split by this function.
 *
 * @param mayMatch Whether a folded text, or a run of words without spaces, may contain a wanted
 *   word. If not, it is skipped: splitting takes far longer than this check. Default: always.
 */
export function wordsIn(
  text: string,
  mayMatch: (folded: string) => boolean = () => true,
): string[] {
  const folded = fold(text);
  if (!mayMatch(folded)) return [];
  // Several times faster for a text that is only ASCII.
  if (!/[^\0-\x7f]/.test(folded)) return truncateWords(folded.match(/[0-9a-z]+/g) ?? []);
  const words: string[] = [];
  // Letters and digits with their marks; an emoji is a word of its own.
  const runs = folded.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*|\p{Extended_Pictographic}/gu);
  for (const run of runs ?? []) {
    if (!hasUnspaced(run)) words.push(run);
    else if (mayMatch(run)) words.push(...segmentsOf(run));
  }
  return truncateWords(words);
}

/**
 * Splits a long text into pieces, between words if possible. All code uses these pieces, so that a word that
 * is cut results in the same two words everywhere.
 */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start);
    yield text.slice(start, end);
    start = end;
  }
}

function endOfPiece(text: string, start: number): number {
  const longest = start + PIECE_LENGTH;
  if (longest >= text.length) return text.length;
  // Surrogates count as letters, so that no pair is cut.
  const withinWord = /[\p{L}\p{M}\p{N}\p{Surrogate}]/u;
  for (let end = longest; end > longest - MAX_CUT_LENGTH; end--) {
    if (!withinWord.test(text.charAt(end))) return end;
  }
  const isLowSurrogate = (text.charCodeAt(longest) & 0xfc00) === 0xdc00;
  return isLowSurrogate ? longest - 1 : longest;
}

/**
 * Whether a text has a character of the scripts that put no spaces between words. The expression is
 * created on first use, not to delay the start.
 */
export function hasUnspaced(text: string): boolean {
  unspaced ??= new RegExp(`[${UNSPACED}]`, 'u');
  return unspaced.test(text);
}

/** Splits a run by dictionary. If the browser has no dictionary, each character is a word. */
function segmentsOf(run: string): string[] {
  if (!('Segmenter' in Intl)) return Array.from(run);
  // The locale has no effect on these scripts.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const words: string[] = [];
  for (let start = 0; start < run.length;) {
    const end = start + WINDOW_LENGTH;
    const segments = [...segmenter.segment(run.slice(start, end))];
    // The last word may continue after the end: it is segmented again, with the following text.
    const last = end < run.length && segments.length > 1 ? segments.pop() : undefined;
    // Not `isWordLike`: for a single word of the dictionary Firefox (153) returns `false`.
    for (const { segment } of segments) if (/[\p{L}\p{N}]/u.test(segment)) words.push(segment);
    start = last ? start + last.index : end;
  }
  return words;
}

function truncateWords(words: string[]): string[] {
  for (const [index, word] of words.entries()) {
    if (word.length > MAX_WORD_LENGTH) words[index] = word.slice(0, MAX_WORD_LENGTH);
  }
  return words;
}

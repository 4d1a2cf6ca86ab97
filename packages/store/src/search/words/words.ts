import { fold } from '../../records/folded-text.js';

/**
 * How much of a word counts, in UTF-16 code units: what two longer ones have behind it does not tell
 * them apart. The longest words of any language are shorter; what is not is data.
 */
const MAX_WORD_LENGTH = 64;

/** How much of a text is taken apart without a pause, in UTF-16 code units. */
const PIECE_LENGTH = 16_384;

/** How far before its end a piece is cut between two words, rather than anywhere. */
const MAX_CUT_LENGTH = 2_048;

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
let unspaced: RegExp | undefined;

/** One for all: its making costs more than its work. Made with the first run, as no start waits for it. */
let segmenter: Intl.Segmenter | undefined;

/**
 * How much of a run is looked at with the dictionary at a time, in UTF-16 code units. The time that
 * browsers take for each word grows with what is there around it.
 */
const WINDOW_LENGTH = 200;

/**
 * The words of a text in their order, as often as they occur: in the form in which texts are compared
 * (see `fold`), cut to {@link MAX_WORD_LENGTH}. Notes, paths and queries are all taken apart by this.
 *
 * @param isAsked Whether a word may be wanted that is somewhere in this, a folded text or a run of
 *   words without spaces: it is not taken apart otherwise, which takes far longer than to look. Default:
 *   all are.
 */
export function wordsIn(text: string, isAsked: (folded: string) => boolean = () => true): string[] {
  const folded = fold(text);
  if (!isAsked(folded)) return [];
  // Several times faster, where all is ASCII and in lower case.
  if (!/[^\0-\x7f]/.test(folded)) return shortened(folded.match(/[0-9a-z]+/g) ?? []);
  const words: string[] = [];
  // Letters and digits with their marks; an emoji is a word by itself.
  const runs = folded.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*|\p{Extended_Pictographic}/gu);
  for (const run of runs ?? []) {
    if (!hasUnspaced(run)) words.push(run);
    else if (isAsked(run)) words.push(...segmentsOf(run));
  }
  return shortened(words);
}

/**
 * A long text in pieces, which are cut between words where that is possible. It is taken apart piece
 * by piece everywhere, so that a word cut in two is the same two everywhere.
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
  // Half a surrogate pair counts, so that none is cut.
  const withinWord = /[\p{L}\p{M}\p{N}\p{Surrogate}]/u;
  for (let end = longest; end > longest - MAX_CUT_LENGTH; end--) {
    if (!withinWord.test(text.charAt(end))) return end;
  }
  // Not in the middle of a surrogate pair.
  const isLowSurrogate = (text.charCodeAt(longest) & 0xfc00) === 0xdc00;
  return isLowSurrogate ? longest - 1 : longest;
}

/**
 * Whether a text has a character of the scripts that put no spaces between words. Its expression is
 * made with the first text, as no start waits for it.
 */
export function hasUnspaced(text: string): boolean {
  unspaced ??= new RegExp(`[${UNSPACED}]`, 'u');
  return unspaced.test(text);
}

/** Where a browser has no dictionary, each character is a word. */
function segmentsOf(run: string): string[] {
  if (!('Segmenter' in Intl)) return Array.from(run);
  // The locale has no say in these scripts.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const words: string[] = [];
  for (let start = 0; start < run.length;) {
    const end = start + WINDOW_LENGTH;
    const segments = [...segmenter.segment(run.slice(start, end))];
    // The last word may go on behind the end: it is looked at again, with what follows.
    const last = end < run.length && segments.length > 1 ? segments.pop() : undefined;
    // `isWordLike` does not say so: for a single word of the dictionary Firefox (153) gives `false`.
    for (const { segment } of segments) if (/[\p{L}\p{N}]/u.test(segment)) words.push(segment);
    start = last ? start + last.index : end;
  }
  return words;
}

function shortened(words: string[]): string[] {
  for (const [index, word] of words.entries()) {
    if (word.length > MAX_WORD_LENGTH) words[index] = word.slice(0, MAX_WORD_LENGTH);
  }
  return words;
}

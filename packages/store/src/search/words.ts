import { fold } from '../folded-text.js';

/**
 * How much of a word counts, in UTF-16 code units: what two longer ones have behind it does not tell
 * them apart. The longest words of any language are shorter; what is not is data.
 */
const MAX_WORD_LENGTH = 64;

/** How much of a text is taken apart without a pause, in UTF-16 code units. */
const PIECE_LENGTH = 16_384;

/** How far before its end a piece is cut between two words, rather than anywhere. */
const MAX_CUT_LENGTH = 2_048;

/** Letters and digits with their marks; an emoji is a word by itself. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*|\p{Extended_Pictographic}/gu;

/** The same, several times faster, where all is ASCII and in lower case. */
const ASCII_WORD = /[0-9a-z]+/g;

/** What may be within a word; half a surrogate pair counts, so that none is cut. */
const WITHIN_WORD = /[\p{L}\p{M}\p{N}\p{Surrogate}]/u;

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
/** A character of the scripts that put no spaces between words. */
export const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');

/**
 * What a segment of a run needs to be a word. `isWordLike` does not say so: for a run that is a single
 * word of the dictionary Firefox (153) gives `false`.
 */
const HAS_LETTER = /[\p{L}\p{N}]/u;

/** One for all: its making costs more than its work. The locale has no say in these scripts. */
const segmenter =
  'Segmenter' in Intl ? new Intl.Segmenter('en', { granularity: 'word' }) : undefined;

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
  if (!/[^\0-\x7f]/.test(folded)) return shortened(folded.match(ASCII_WORD) ?? []);
  const words: string[] = [];
  for (const run of folded.match(WORD) ?? []) {
    if (!HAS_UNSPACED.test(run)) words.push(run);
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
  for (let end = longest; end > longest - MAX_CUT_LENGTH; end--) {
    if (!WITHIN_WORD.test(text.charAt(end))) return end;
  }
  // Not in the middle of a surrogate pair.
  const isLowSurrogate = (text.charCodeAt(longest) & 0xfc00) === 0xdc00;
  return isLowSurrogate ? longest - 1 : longest;
}

/** Where a browser has no dictionary, each character is a word. */
function segmentsOf(run: string): string[] {
  if (!segmenter) return Array.from(run);
  const words: string[] = [];
  for (let start = 0; start < run.length;) {
    const end = start + WINDOW_LENGTH;
    const segments = [...segmenter.segment(run.slice(start, end))];
    // The last word may go on behind the end: it is looked at again, with what follows.
    const last = end < run.length && segments.length > 1 ? segments.pop() : undefined;
    for (const { segment } of segments) if (HAS_LETTER.test(segment)) words.push(segment);
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

import { diffArrays } from 'diff';

/** How long the comparison may take, in milliseconds. */
const TIMEOUT_MS = 30;

/** Texts with more words are not compared. */
const MAX_WORDS = 30_000;

/** A word, or a mark, in one of the texts. */
export interface Word {
  text: string;
  /** Which text, and where in it. */
  at: number;
  start: number;
}

/** A place where words have changed. Without words, some were only removed before `end`. */
export interface WordChange {
  /** Of the new words: the first that has changed, and the first after those. */
  start: number;
  end: number;
  /** The words that were there. */
  removed: readonly Word[];
}

/**
 * A number with its separators, a character of a script that writes no spaces, a word, or a mark. No
 * part of it can match a text in two ways.
 */
const WORD =
  /\p{N}{1,50}(?:[.,]\p{N}{1,50}){1,9}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}_]{1,100}|[^\s\p{L}\p{M}\p{N}_]/gu;

/** The words of texts; `undefined` if there are too many. */
export function wordsOf(texts: readonly string[]): Word[] | undefined {
  const words: Word[] = [];
  for (const [at, text] of texts.entries()) {
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (words.push({ text: word, at, start: index }) > MAX_WORDS) return undefined;
    }
  }
  return words;
}

/** What has changed from some words to others; `undefined` if it is too much to be found in time. */
export function changesOf(
  before: readonly Word[],
  after: readonly Word[],
): WordChange[] | undefined {
  const start = commonLength(before, after, 0, (index) => index);
  const end = commonLength(before, after, start, (index, length) => length - 1 - index);
  const old = before.slice(start, before.length - end);
  const parts = diffArrays(
    old.map(({ text }) => text),
    after.slice(start, after.length - end).map(({ text }) => text),
    { timeout: TIMEOUT_MS },
  );
  if (!parts) return undefined;
  const changes: WordChange[] = [];
  let [oldAt, newAt] = [start, start];
  let isOpen = false;
  for (const { added, removed, count } of parts) {
    if (added || removed) {
      if (!isOpen) changes.push({ start: newAt, end: newAt, removed: [] });
      const change = changes.at(-1)!;
      if (added) change.end = newAt += count;
      else change.removed = before.slice(oldAt, (oldAt += count));
    } else {
      oldAt += count;
      newAt += count;
    }
    isOpen = added || removed;
  }
  return changes;
}

/** How many words are the same at the beginning, or at the end, past those that are known to be. */
function commonLength(
  a: readonly Word[],
  b: readonly Word[],
  known: number,
  place: (index: number, length: number) => number,
): number {
  const most = Math.min(a.length, b.length) - known;
  let length = 0;
  while (length < most && a[place(length, a.length)]!.text === b[place(length, b.length)]!.text)
    length += 1;
  return length;
}

import { diffArrays } from 'diff';
import type { Slices } from '../../../reading/slices.js';
import { firstIndex } from '../../renderers/first-index.js';
import type { ChangedPlace } from '../../renderers/renderer.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { commonEnd, commonStart } from './common-ends.js';
import { changesOf, wordsOf, type Word } from './word-changes.js';

/** How much text with changes in it is compared at most, in UTF-16 code units of both versions. */
const MAX_LENGTH = 4_194_304;

/** How many lines of each version are compared at most. */
const MAX_LINES = 50_000;

/** How long the comparison of lines may take, in milliseconds. */
const LINES_MS = 30;

/** After this time, changed lines are not compared by word any more, in milliseconds. */
const WORDS_MS = 200;

/** How long changed lines are that are compared by word, in UTF-16 code units. */
const MAX_HUNK = 20_000;

/** How long a word is, in UTF-16 code units. */
const MAX_WORD = 100;

const SPACE_AND_WORD = /\s*(?:[\p{L}\p{M}\p{N}_]{1,100}|\S)/uy;

/** A change of a text, with its words, short enough for a line. */
export interface SourceChange extends ChangedPlace {
  added: string;
  removed: string;
}

/** From where to where in the old text, and in the new one. */
interface Difference {
  old: [start: number, end: number];
  now: [start: number, end: number];
}

/**
 * What has changed from one text to another, by word; by line where that would be too much.
 * `undefined` if it is too much for that, too.
 */
export async function compareSources(
  before: string,
  after: string,
  slices: Slices,
): Promise<SourceChange[] | undefined> {
  if (before === after) return [];
  const start = await commonStart(before, after, slices);
  const end = await commonEnd(before, after, start, slices);
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  if (old.length + now.length > MAX_LENGTH) return undefined;
  const differences = compareWords(old, now) ?? (await compareLines(old, now, slices));
  return differences?.map((difference) => describe(shift(difference, start), before, after));
}

function compareWords(old: string, now: string): Difference[] | undefined {
  const [oldWords, words] = [wordsOf([old]), wordsOf([now])];
  if (!oldWords || !words) return undefined;
  const changes = changesOf(oldWords, words);
  return changes?.map(({ start, end, removed }, index) => {
    const [low, high] = [changes[index - 1]?.end ?? 0, changes[index + 1]?.start ?? words.length];
    if (removed.length === 0) {
      const by = slide(words, now, [start, end], [low, high]);
      return { old: [0, 0], now: rangeOf(words, start + by, end + by, now) };
    }
    if (end > start)
      return {
        old: rangeOf(removed, 0, removed.length, old),
        now: rangeOf(words, start, end, now),
      };
    const first = indexOf(oldWords, removed[0]!);
    const last = first + removed.length;
    const by = slide(oldWords, old, [first, last], [first - start + low, last - start + high]);
    return {
      old: rangeOf(oldWords, first + by, last + by, old),
      now: rangeOf(words, start + by, start + by, now),
    };
  });
}

/** Where words stand; without words, where the next one begins. */
function rangeOf(
  words: readonly Word[],
  start: number,
  end: number,
  text: string,
): Difference['now'] {
  const from = words[start]?.start ?? text.length;
  return [from, end > start ? endOf(words[end - 1]) : from];
}

/**
 * How far to move a change of words so that it begins with a line: where the same words come before
 * it or after it, it can be said to be there. 0 where that does not help.
 */
function slide(
  words: readonly Word[],
  text: string,
  [start, end]: [number, number],
  [low, high]: [number, number],
): number {
  const isSame = (a: number, b: number): boolean => words[a]?.text === words[b]?.text;
  for (let by = 0; ; by -= 1) {
    if (beginsLine(text, words[start + by]!)) return by;
    if (start + by <= low || !isSame(start + by - 1, end + by - 1)) break;
  }
  for (let by = 0; end + by < high && isSame(start + by, end + by);)
    if (beginsLine(text, words[start + ++by]!)) return by;
  return 0;
}

function beginsLine(text: string, { start }: Word): boolean {
  const before = text.slice(Math.max(0, start - MAX_WORD), start);
  return /\n\s*$/.test(before) || (before.length === start && before.trim() === '');
}

/** The index of a word in the order of their places. */
function indexOf(words: readonly Word[], { start }: Word): number {
  return firstIndex(words.length, (at) => words[at]!.start >= start);
}

const endOf = (word: Word | undefined): number => (word ? word.start + word.text.length : 0);

async function compareLines(
  old: string,
  now: string,
  slices: Slices,
): Promise<Difference[] | undefined> {
  await slices.next();
  const [oldLines, lines] = [old.split('\n'), now.split('\n')];
  if (Math.max(oldLines.length, lines.length) > MAX_LINES) return undefined;
  await slices.next();
  const parts = diffArrays(oldLines, lines, { timeout: LINES_MS });
  if (!parts) return undefined;
  const hunks = hunksOf(parts);
  const differences: Difference[] = [];
  const endMs = performance.now() + WORDS_MS;
  for (const hunk of hunks) {
    await slices.next();
    differences.push(...(performance.now() < endMs ? refine(hunk, old, now) : [hunk]));
  }
  return differences;
}

/** Lines that have changed one after the other, as one difference. */
function hunksOf(
  parts: readonly { added: boolean; removed: boolean; value: readonly string[] }[],
): Difference[] {
  const hunks: Difference[] = [];
  let [oldAt, nowAt] = [0, 0];
  let isOpen = false;
  for (const { added, removed, value } of parts) {
    const length = value.reduce((sum, line) => sum + line.length + 1, 0);
    const isChanged = added || removed;
    if (isChanged && !isOpen) hunks.push({ old: [oldAt, oldAt], now: [nowAt, nowAt] });
    if (!added) oldAt += length;
    if (!removed) nowAt += length;
    const hunk = hunks.at(-1);
    if (isChanged && hunk) [hunk.old[1], hunk.now[1]] = [oldAt, nowAt];
    isOpen = isChanged;
  }
  return hunks;
}

/** The words that have changed in some lines. */
function refine(hunk: Difference, old: string, now: string): Difference[] {
  const [oldStart, oldEnd] = hunk.old;
  const [start, end] = hunk.now;
  if (oldEnd - oldStart > MAX_HUNK || end - start > MAX_HUNK) return [hunk];
  const words = compareWords(old.slice(oldStart, oldEnd), now.slice(start, end));
  return words?.map((difference) => shift(difference, start, oldStart)) ?? [hunk];
}

function shift({ old, now }: Difference, by: number, oldBy = by): Difference {
  return { old: [old[0] + oldBy, old[1] + oldBy], now: [now[0] + by, now[1] + by] };
}

/** Where words were only removed, the place is the word after them, or else the last. */
function describe({ old, now }: Difference, before: string, after: string): SourceChange {
  const removed = lineOf(before.slice(...old));
  const [start, end] = now;
  const added = lineOf(after.slice(start, end));
  if (added) return { start, end: Math.min(end, after.length), isRemoval: false, added, removed };
  SPACE_AND_WORD.lastIndex = start;
  const isFollowed = SPACE_AND_WORD.test(after);
  const last = isFollowed ? SPACE_AND_WORD.lastIndex : after.trimEnd().length;
  const [word = ''] = /(?:[\p{L}\p{M}\p{N}_]{1,100}|\S|)$/u.exec(
    after.slice(Math.max(0, last - MAX_WORD), last),
  )!;
  return { start: last - word.length, end: last, isRemoval: true, added, removed };
}

/** In one line, without what is only space. */
function lineOf(text: string): string {
  return truncateText(text.slice(0, 400).trim().replace(/\s+/g, ' '), 80);
}

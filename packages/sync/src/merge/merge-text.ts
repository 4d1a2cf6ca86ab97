import { MAX_TEXT_BYTES } from '@inpage-mcp/store';
import { type Change, changesOf, MAX_COMPARISONS, type Work } from './three-way.js';

/** The maximum number of lines of a text that is merged. */
export const MAX_LINES = 500_000;

/**
 * The maximum length of lines that are merged word by word, base and both sides together, in UTF-16 code
 * units.
 */
export const MAX_WORDS_LENGTH = 300_000;

/**
 * The line between two versions of a place that two devices have changed. It is the same on every device, and
 * it is for people: they delete it together with the version that they do not want.
 */
export const CONFLICT_MARK = '⚠ Changed on two devices. The other version:';

/** A merged text. */
export interface MergedText {
  text: string;
  /** The number of places that have two versions now, with {@link CONFLICT_MARK} between them. */
  conflicts: number;
}

/**
 * Merges the versions of a text of two devices: line by line, and word by word where both have changed a
 * line. No inserted line is lost: if both have inserted lines, both stay, and if both have changed the same
 * words, both versions stay. The result does not depend on which side is which, so that every device gets the
 * same text.
 *
 * @param work The number of comparisons that it may take, for tests.
 * @returns `undefined` if the texts are too different or too long: then keep both.
 */
export function mergeText(
  base: string,
  mine: string,
  theirs: string,
  work: Work = { comparisons: MAX_COMPARISONS },
): MergedText | undefined {
  if (mine === theirs || mine === base) return { text: theirs, conflicts: 0 };
  if (theirs === base) return { text: mine, conflicts: 0 };
  const [lines, ...sides] = [splitLines(base), splitLines(mine), splitLines(theirs)];
  if ([lines, ...sides].some(({ length }) => length > MAX_LINES)) return undefined;
  const changes = changesOf(lines, ...sides, false, work);
  if (!changes) return undefined;
  let conflicts = 0;
  const merged = replaceChanges(lines, changes, (change) => {
    const result = mergeLines(change, work);
    if (result) return result;
    conflicts += 1;
    return joinSides(change.mine, change.theirs, CONFLICT_MARK);
  });
  const text = merged.join('\n');
  return isTooLong(text) ? undefined : { text, conflicts };
}

/**
 * Whether a text has all lines of another one, in their order. Empty lines do not count.
 *
 * @returns False also if one has more than {@link MAX_LINES}.
 */
export function containsLines(text: string, part: string): boolean {
  const [whole, lines] = [splitLines(text), splitLines(part)];
  return Math.max(whole.length, lines.length) <= MAX_LINES && isWithin(lines, whole);
}

/** Puts the result of each change in its place. */
function replaceChanges(
  base: string[],
  changes: Change[],
  resultOf: (change: Change) => string[],
): string[] {
  const parts: string[][] = [];
  let at = 0;
  for (const change of changes) {
    parts.push(base.slice(at, change.start), resultOf(change));
    at = change.end;
  }
  return [...parts, base.slice(at)].flat();
}

/** Merges the lines of a change; `undefined` if both sides have changed the same words. */
function mergeLines(change: Change, work: Work): string[] | undefined {
  const { base, mine, theirs } = change;
  if (isEqual(mine, base)) return theirs;
  if (isEqual(theirs, base)) return mine;
  const [first, second] = inOrder(mine, theirs);
  if (isWithin(first, second)) return second;
  if (isWithin(second, first)) return first;
  const isInsertion = base.every((line) => line === '');
  return isInsertion ? joinSides(mine, theirs) : mergeEachLine(change, work);
}

/** Merges each line word by word, if both sides have as many lines as the base. */
function mergeEachLine({ base, mine, theirs }: Change, work: Work): string[] | undefined {
  if (mine.length !== base.length || theirs.length !== base.length) return undefined;
  const merged: string[] = [];
  for (const [index, line] of base.entries()) {
    const words = mergeWords(line, mine[index]!, theirs[index]!, work);
    if (words === undefined) return undefined;
    merged.push(words);
  }
  return merged;
}

/**
 * Merges a line word by word; `undefined` if both sides have changed the same words, or words next to each
 * other.
 */
function mergeWords(base: string, mine: string, theirs: string, work: Work): string | undefined {
  if (base.length + mine.length + theirs.length > MAX_WORDS_LENGTH) return undefined;
  const [b, m, t] = [base, mine, theirs].map(splitWords);
  const changes = changesOf(b!, m!, t!, true, work);
  if (!changes?.every(isOneSided)) return undefined;
  const words = replaceChanges(b!, changes, (change) =>
    isEqual(change.mine, change.base) ? change.theirs : change.mine,
  );
  return words.join('');
}

/** Whether only one side has changed the place, or both in the same way. */
function isOneSided({ base, mine, theirs }: Change): boolean {
  return isEqual(mine, base) || isEqual(theirs, base) || isEqual(mine, theirs);
}

/** Splits a line into words, the space between them, and each character of scripts without spaces. */
function splitWords(line: string): string[] {
  return (
    line.match(/\s+|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+/gu) ??
    []
  );
}

/** Both sides, one after the other, in an order that does not depend on which side is which. */
function joinSides(mine: string[], theirs: string[], ...mark: string[]): string[] {
  const start = countCommon(mine, theirs);
  const [rest, otherRest] = [mine.slice(start), theirs.slice(start)];
  const end = countCommon(rest.toReversed(), otherRest.toReversed());
  const middles = [rest, otherRest].map((lines) => lines.slice(0, lines.length - end));
  const [first, second] = inOrder(middles[0]!, middles[1]!);
  return [mine.slice(0, start), first, mark, second, rest.slice(rest.length - end)].flat();
}

/** The two sides in an order that is the same on every device: the shorter one first. */
function inOrder(mine: string[], theirs: string[]): [first: string[], second: string[]] {
  const difference = mine.length - theirs.length;
  const isFirst = difference < 0 || (difference === 0 && mine.join('\n') < theirs.join('\n'));
  return isFirst ? [mine, theirs] : [theirs, mine];
}

/**
 * The number of lines that are the same at the start. Empty lines at their end do not count: they stay with
 * the lines that they separate.
 */
function countCommon(a: string[], b: string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a[count] === b[count]) count += 1;
  while (count > 0 && a[count - 1] === '') count -= 1;
  return count;
}

function isEqual(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** Whether a list has all elements of another one, in its order; '' does not count. */
function isWithin(part: string[], whole: string[]): boolean {
  let found = 0;
  const lines = part.filter((line) => line !== '');
  for (const line of whole) if (found < lines.length && line === lines[found]) found += 1;
  return found === lines.length;
}

/** The lines of a text, up to one more than {@link MAX_LINES}, so that a longer text is noticed. */
function splitLines(text: string): string[] {
  return text.split('\n', MAX_LINES + 1);
}

/** Whether a text has more bytes than a note may have. */
function isTooLong(text: string): boolean {
  return new TextEncoder().encode(text).length > MAX_TEXT_BYTES;
}

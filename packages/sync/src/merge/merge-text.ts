import { MAX_TEXT_BYTES } from '@inpage-mcp/store';
import { type Change, changesOf, MAX_COMPARISONS, type Work } from './three-way.js';

/** The most lines of a text that is merged. */
export const MAX_LINES = 500_000;

/** The longest lines that are merged by words, base and both sides together, in UTF-16 code units. */
export const MAX_WORDS_LENGTH = 300_000;

/**
 * The line between two versions of a place that two devices have changed. The same on every device, and
 * for people: they delete it with the version that they do not want.
 */
export const CONFLICT_MARK = '⚠ Changed on two devices. The other version:';

/** A merged text. */
export interface MergedText {
  text: string;
  /** How many places have two versions now, with {@link CONFLICT_MARK} between them. */
  conflicts: number;
}

/**
 * Merges what two devices have made of a text: by lines, and by words where both have changed a line. No
 * inserted line is lost: where both have inserted, both stay, and where both have changed the same words,
 * both versions stay. It does not matter which side is which, so that every device gets the same text.
 *
 * @param work for tests: how many comparisons it may take
 * @returns `undefined` if the texts are too different or too long: then keep both
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
 * @returns false also if one has more than {@link MAX_LINES}
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

/** `undefined` where both have changed the same words. */
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

/** Merges each line by words, where both sides have as many lines as the base. */
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

/** Merges a line; `undefined` where both have changed the same words or neighbours. */
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

/** Whether one side has changed it, or both alike. */
function isOneSided({ base, mine, theirs }: Change): boolean {
  return isEqual(mine, base) || isEqual(theirs, base) || isEqual(mine, theirs);
}

/** Words, the space between them, and each character of scripts without spaces. */
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

/** The same order on every device: the shorter one first. */
function inOrder(mine: string[], theirs: string[]): [first: string[], second: string[]] {
  const difference = mine.length - theirs.length;
  const isFirst = difference < 0 || (difference === 0 && mine.join('\n') < theirs.join('\n'));
  return isFirst ? [mine, theirs] : [theirs, mine];
}

/** How many lines are the same at the start. Empty ones at their end stay with what they separate. */
function countCommon(a: string[], b: string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a[count] === b[count]) count += 1;
  while (count > 0 && a[count - 1] === '') count -= 1;
  return count;
}

function isEqual(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** Whether a list has all of another one, in its order; '' does not count. */
function isWithin(part: string[], whole: string[]): boolean {
  let found = 0;
  const lines = part.filter((line) => line !== '');
  for (const line of whole) if (found < lines.length && line === lines[found]) found += 1;
  return found === lines.length;
}

/** Stops after {@link MAX_LINES}, so that one more is noticed. */
function splitLines(text: string): string[] {
  return text.split('\n', MAX_LINES + 1);
}

/** Whether a text has more bytes than a note may have. */
function isTooLong(text: string): boolean {
  return new TextEncoder().encode(text).length > MAX_TEXT_BYTES;
}

import type { LineChange } from '../schema/schema.js';

/** How many lines around a change are kept, to find its place again. */
const CONTEXT_LINES = 3;

/** What has changed between two texts, as one group of lines; undefined if nothing has. */
export function lineChange(before: string, after: string): LineChange | undefined {
  if (before === after) return undefined;
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let same = 0;
  while (same < shorter - start && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const end = now.length - same;
  return {
    start,
    removed: old.slice(start, old.length - same),
    added: now.slice(start, end),
    lead: now.slice(Math.max(start - CONTEXT_LINES, 0), start),
    trail: now.slice(end, end + CONTEXT_LINES),
  };
}

/**
 * The text without the change. Undefined if its lines are not there exactly once: with the lines around
 * them, or alone.
 *
 * @param isUnchanged Whether the text is as the change has left it.
 */
export function textBefore(
  text: string,
  { start, removed, added, lead, trail }: LineChange,
  isUnchanged: boolean,
): string | undefined {
  const lines = text.split('\n');
  const find = (place: readonly string[]): number | undefined =>
    place.some((line) => line.trim() !== '') ? onlyIndexOf(lines, place) : undefined;
  const around = isUnchanged ? undefined : find([...lead, ...added, ...trail]);
  const found = isUnchanged ? start : around === undefined ? find(added) : around + lead.length;
  if (found === undefined) return undefined;
  const rest = lines.slice(found + added.length);
  // What was added after the last line break of a text leaves no empty line where others have gone on.
  const isEnd = trail.length === 0 && removed.join() === '' && rest.length > 0;
  return [...lines.slice(0, found), ...(isEnd ? [] : removed), ...rest].join('\n');
}

/** Where the one group of lines is among others; undefined if there is none or another one (KMP). */
function onlyIndexOf(lines: readonly string[], group: readonly string[]): number | undefined {
  const shorter = prefixesOf(group);
  let matched = 0;
  let found: number | undefined;
  for (const [index, line] of lines.entries()) {
    while (matched > 0 && (matched === group.length || group[matched] !== line))
      matched = shorter[matched - 1]!;
    if (group[matched] === line) matched += 1;
    if (matched < group.length) continue;
    if (found !== undefined) return undefined;
    found = index + 1 - group.length;
  }
  return found;
}

/** For each beginning of the group, how long the longest other beginning is with which it ends. */
function prefixesOf(group: readonly string[]): number[] {
  const lengths = [0];
  let matched = 0;
  for (let index = 1; index < group.length; index += 1) {
    while (matched > 0 && group[matched] !== group[index]) matched = lengths[matched - 1]!;
    if (group[matched] === group[index]) matched += 1;
    lengths.push(matched);
  }
  return lengths;
}

import type { LineChange, LinePlace } from '../schema/schema.js';

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
  const change: LineChange = {
    start,
    removed: old.slice(start, old.length - same),
    added: now.slice(start, end),
    lead: now.slice(Math.max(start - CONTEXT_LINES, 0), start),
    trail: now.slice(end, end + CONTEXT_LINES),
    total: now.length,
    equal: 0,
    places: [],
  };
  // Where there are equal lines, those that are left may be somebody else's.
  const places = placesAround(change).filter(
    (place) => onlyIndexOf(now, linesOf(change, place)) !== undefined,
  );
  return { ...change, equal: equalTo(change.removed, now), places };
}

/** How many lines of a text are as one of these, apart from blank ones. */
function equalTo(removed: readonly string[], lines: readonly string[]): number {
  const sought = new Set(removed.filter(isWritten));
  return lines.filter((line) => sought.has(line)).length;
}

const isWritten = (line: string): boolean => line.trim() !== '';

/** The whole group with what is around it, and the group with one line beside it. */
function placesAround({ lead, trail }: LineChange): LinePlace[] {
  const around = [
    { lead: lead.length, trail: trail.length },
    { lead: Math.min(lead.length, 1), trail: 0 },
    { lead: 0, trail: Math.min(trail.length, 1) },
  ];
  // Blank lines, and the added ones alone, may be anywhere.
  return around.filter((place) =>
    [...lead.slice(lead.length - place.lead), ...trail.slice(0, place.trail)].some(isWritten),
  );
}

function linesOf({ lead, added, trail }: LineChange, place: LinePlace): string[] {
  return [...lead.slice(lead.length - place.lead), ...added, ...trail.slice(0, place.trail)];
}

/**
 * The text without the change. Undefined if its lines cannot be found for sure, or what it has removed is there
 * again.
 *
 * @param isUnchanged Whether the text is as the change has left it.
 */
export function textBefore(
  text: string,
  change: LineChange,
  isUnchanged: boolean,
): string | undefined {
  const lines = text.split('\n');
  const { removed, added, trail } = change;
  const found = isUnchanged ? change.start : placeOf(lines, change);
  if (found === undefined) return undefined;
  if (!isUnchanged && equalTo(removed, lines) > change.equal) return undefined;
  const rest = lines.slice(found + added.length);
  // What was added after the last line break of a text leaves no empty line where others have gone on.
  const isEnd = trail.length === 0 && removed.join() === '' && rest.length > 0;
  return [...lines.slice(0, found), ...(isEnd ? [] : removed), ...rest].join('\n');
}

/** Whether a text of these lines, as long as it was, has the change where it was. */
export function isWhereItWas(text: string, change: LineChange): boolean {
  const lines = text.split('\n');
  const { lead, trail } = change;
  const whole = linesOf(change, { lead: lead.length, trail: trail.length });
  return lines.length === change.total && isAt(lines, whole, change.start - lead.length);
}

function placeOf(lines: readonly string[], change: LineChange): number | undefined {
  for (const place of change.places) {
    const found = onlyIndexOf(lines, linesOf(change, place));
    if (found !== undefined) return found + place.lead;
  }
  return undefined;
}

const isAt = (lines: readonly string[], group: readonly string[], at: number): boolean =>
  at >= 0 && group.every((line, index) => lines[at + index] === line);

/**
 * Where the one group of lines is among others; undefined if there is none or another one (KMP), or if it is
 * empty.
 */
function onlyIndexOf(lines: readonly string[], group: readonly string[]): number | undefined {
  if (!group.some(isWritten)) return undefined;
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

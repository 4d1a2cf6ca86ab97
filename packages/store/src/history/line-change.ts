import type { LineChange, LinePlace } from '../schema/schema.js';

/** The number of lines around a change that are kept, to find its place again. */
const CONTEXT_LINES = 3;

/** The difference between two texts as one group of lines; `undefined` if they are equal. */
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
  // If several groups of lines are equal, the one that remains may be the text of another author.
  const places = placesAround(change).filter(
    (place) => onlyIndexOf(now, linesOf(change, place)) !== undefined,
  );
  return { ...change, equal: equalTo(change.removed, now), places };
}

/** The number of lines of a text that equal one of these lines, apart from blank ones. */
function equalTo(removed: readonly string[], lines: readonly string[]): number {
  const sought = new Set(removed.filter(isWritten));
  return lines.filter((line) => sought.has(line)).length;
}

const isWritten = (line: string): boolean => line.trim() !== '';

/**
 * The places of a change: the whole group with the lines around it, and the group with one line before or
 * after it.
 */
function placesAround({ lead, trail }: LineChange): LinePlace[] {
  const around = [
    { lead: lead.length, trail: trail.length },
    { lead: Math.min(lead.length, 1), trail: 0 },
    { lead: 0, trail: Math.min(trail.length, 1) },
  ];
  // Blank lines, or only the added ones, may be anywhere in the text.
  return around.filter((place) =>
    [...lead.slice(lead.length - place.lead), ...trail.slice(0, place.trail)].some(isWritten),
  );
}

function linesOf({ lead, added, trail }: LineChange, place: LinePlace): string[] {
  return [...lead.slice(lead.length - place.lead), ...added, ...trail.slice(0, place.trail)];
}

/**
 * The text without the change. Undefined if its lines cannot be found with certainty, or if the lines that it
 * removed exist again.
 *
 * @param isUnchanged Whether the text is still as the change has left it.
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
  // An empty line at the end of a text was only the end of its last line. It does not come back if others
  // have added lines after it.
  const isEnd = trail.length === 0 && removed.join() === '' && rest.length > 0;
  return [...lines.slice(0, found), ...(isEnd ? [] : removed), ...rest].join('\n');
}

/** Whether a text that still has its former number of lines has the change at its former place. */
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
 * The index of a group of lines that occurs exactly once among others; `undefined` if it does not occur,
 * occurs more often, or has only blank lines. Uses the KMP algorithm.
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

/** The length of the longest shorter beginning that each beginning of the group ends with. */
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

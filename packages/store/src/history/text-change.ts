import type { TextChange } from '../schema/schema.js';

/** How much of the text around a change is kept, to find its place again, in UTF-16 code units. */
const CONTEXT_LENGTH = 40;

/** What has changed between two texts, as one part; undefined if nothing has. */
export function textChange(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  const end = after.length - same;
  return {
    start,
    removed: before.slice(start, before.length - same),
    added: after.slice(start, end),
    lead: after.slice(Math.max(start - CONTEXT_LENGTH, 0), start),
    trail: after.slice(end, end + CONTEXT_LENGTH),
  };
}

import { diffArrays } from 'diff';

/** Texts with more lines are not compared. */
const MAX_LINES = 50_000;

/** How long the comparison may take, in milliseconds. */
const TIMEOUT_MS = 30;

/** Lines in a row that have changed. Where `isRemoval`, the line itself has not: others were before it. */
export interface ChangedLines {
  first: number;
  end: number;
  isRemoval: boolean;
}

/** What has changed from some lines to others; nothing where that is too much to be found in time. */
export function changedLines(before: readonly string[], after: readonly string[]): ChangedLines[] {
  if (Math.max(before.length, after.length) > MAX_LINES || after.length === 0) return [];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [old, now] = [before, after].map((lines) => lines.slice(start, lines.length - end));
  const parts = diffArrays(old!, now!, { timeout: TIMEOUT_MS }) ?? [];
  const changes: ChangedLines[] = [];
  let at = start;
  for (const [index, { added, removed, count }] of parts.entries()) {
    if (added) changes.push({ first: at, end: at + count, isRemoval: false });
    else if (removed && !parts[index + 1]?.added) {
      const first = Math.min(at, after.length - 1);
      changes.push({ first, end: first + 1, isRemoval: true });
    }
    if (!removed) at += count;
  }
  return changes;
}

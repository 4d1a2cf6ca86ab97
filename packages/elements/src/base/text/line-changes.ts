import { diffArrays } from 'diff';

/** The maximum number of lines of a text that is compared. */
const MAX_LINES = 50_000;

/** Consecutive lines, from `start` to before `end`, and the lines that replace them. */
export interface LineChange {
  start: number;
  end: number;
  lines: readonly string[];
}

/**
 * The changes from some lines to others, from the first to the last; `undefined` if there are too many.
 *
 * @param maxChanged The maximum number of removed and added lines. The time grows with its square. Default:
 *   500.
 */
export function lineChanges(
  before: readonly string[],
  after: readonly string[],
  maxChanged = 500,
): LineChange[] | undefined {
  if (Math.max(before.length, after.length) > MAX_LINES) return undefined;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const [old, now] = [before, after].map((lines) => lines.slice(head, lines.length - tail));
  const parts = diffArrays(old!, now!, { maxEditLength: maxChanged });
  if (!parts) return undefined;
  const changes: LineChange[] = [];
  let at = head;
  let open: LineChange | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      open = undefined;
      at += value.length;
      continue;
    }
    if (!open) changes.push((open = { start: at, end: at, lines: [] }));
    if (added) open.lines = [...open.lines, ...value];
    else open.end = at += value.length;
  }
  return changes;
}

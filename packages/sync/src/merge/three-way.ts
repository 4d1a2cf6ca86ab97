import { diffArrays } from 'diff';

/**
 * The maximum number of tokens that may differ between two texts; with more, they are too different to be
 * merged.
 */
export const MAX_EDITS = 1_000;

/**
 * The maximum number of comparisons of tokens for one merge, which take about a second. Comparisons are
 * counted instead of time, so that the result does not depend on a clock.
 */
export const MAX_COMPARISONS = 50_000_000;

/** The remaining work that a merge may do. */
export interface Work {
  comparisons: number;
}

/** A place where a side differs from the base, as positions of tokens without the end. */
interface Hunk {
  start: number;
  end: number;
  /** The number of tokens that the side has there. */
  size: number;
}

/** A place that at least one side has changed: its tokens in the base and on each side. */
export interface Change {
  /** The positions in the base, without the end. */
  start: number;
  end: number;
  base: string[];
  mine: string[];
  theirs: string[];
}

/**
 * The places where two sides have changed a base, in their order.
 *
 * @param touch Whether changes that only touch each other count as one. Otherwise they count as one if both
 *   change a token of the base, or insert at the same place.
 * @returns `undefined` if a side is too different, or the work does not suffice.
 */
export function changesOf(
  base: string[],
  mine: string[],
  theirs: string[],
  touch: boolean,
  work: Work,
): Change[] | undefined {
  // Tokens are compared as numbers in constant time, because long lines take longer.
  const ids = new Map<string, number>();
  const numbers = base.map((token) => idOf(token, ids));
  const hunks: (Hunk & { side: 0 | 1 })[] = [];
  for (const side of [0, 1] as const) {
    const tokens = [mine, theirs][side]!;
    const found = hunksOf(
      numbers,
      tokens.map((token) => idOf(token, ids)),
      work,
    );
    if (!found) return undefined;
    hunks.push(...found.map((hunk) => ({ ...hunk, side })));
  }
  // An insertion comes before a change of the tokens that follow it.
  hunks.sort((a, b) => a.start - b.start || a.end - b.end);
  const changes: Change[] = [];
  // The shift of each side's tokens, compared with the base.
  let shifts: [mine: number, theirs: number] = [0, 0];
  let index = 0;
  for (let next = hunks[0]; next; next = hunks[index]) {
    const { start } = next;
    let { end } = next;
    const after: typeof shifts = [...shifts];
    const joins = (hunk: Hunk): boolean =>
      hunk.start < end || (touch ? hunk.start === end : hunk.start === start && hunk.end === end);
    for (let hunk = hunks[index]; hunk && joins(hunk); hunk = hunks[++index]) {
      end = Math.max(end, hunk.end);
      after[hunk.side] += hunk.size - (hunk.end - hunk.start);
    }
    changes.push({
      start,
      end,
      base: base.slice(start, end),
      mine: mine.slice(start + shifts[0], end + after[0]),
      theirs: theirs.slice(start + shifts[1], end + after[1]),
    });
    shifts = after;
  }
  return changes;
}

function idOf(token: string, ids: Map<string, number>): number {
  const known = ids.get(token);
  if (known !== undefined) return known;
  ids.set(token, ids.size);
  return ids.size - 1;
}

/** The places where a side differs from the base, by the algorithm of Myers. */
function hunksOf(base: number[], side: number[], work: Work): Hunk[] | undefined {
  const comparator = (a: number, b: number): boolean => (work.comparisons -= 1) >= 0 && a === b;
  const parts = diffArrays(base, side, { maxEditLength: MAX_EDITS, comparator });
  if (!parts || work.comparisons < 0) return undefined;
  const hunks: Hunk[] = [];
  let at = 0;
  let open: Hunk | undefined;
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      at += count;
      open = undefined;
      continue;
    }
    if (!open) hunks.push((open = { start: at, end: at, size: 0 }));
    if (added) open.size += count;
    else open.end = at += count;
  }
  return hunks;
}

import type { Slices } from '../words/slices.js';

/** How many strings are sorted, or merged, without a pause. */
const AT_ONCE = 4_096;

/** The position of the first that is not less, in ascending strings; their number where none is. */
export function lowerBound(sorted: readonly string[], wanted: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The position of a string among ascending ones; -1 where it is none of them. */
export function positionOf(sorted: readonly string[], wanted: string): number {
  const position = lowerBound(sorted, wanted);
  return sorted[position] === wanted ? position : -1;
}

/** The strings in ascending order, sorted in parts that are then merged, two and two. */
export async function sortedInSlices(strings: Iterable<string>, slices: Slices): Promise<string[]> {
  let parts: string[][] = [];
  let part: string[] = [];
  const close = async (): Promise<void> => {
    parts.push(part.toSorted());
    part = [];
    if (slices.isOver) await slices.next();
  };
  for (const string of strings) if (part.push(string) === AT_ONCE) await close();
  await close();
  while (parts.length > 1) {
    const merged: string[][] = [];
    for (let index = 0; index < parts.length; index += 2) {
      merged.push(await mergeInSlices(parts[index]!, parts[index + 1] ?? [], slices));
    }
    parts = merged;
  }
  return parts[0]!;
}

async function mergeInSlices(
  a: readonly string[],
  b: readonly string[],
  slices: Slices,
): Promise<string[]> {
  const merged: string[] = [];
  for (let [inA, inB] = [0, 0]; inA < a.length || inB < b.length;) {
    const isA = inB === b.length || (inA < a.length && a[inA]! < b[inB]!);
    const { length } = merged;
    merged[length] = isA ? a[inA++]! : b[inB++]!;
    if (length % AT_ONCE === 0 && slices.isOver) await slices.next();
  }
  return merged;
}

import type { Yielder } from '../words/yielder.js';

/** The number of strings that are sorted or merged before the function may yield. */
const AT_ONCE = 4_096;

/** The position of the first string that is not less than `wanted`; the length if no such string exists. */
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

/** The position of a string among ascending ones; -1 if it is not among them. */
export function positionOf(sorted: readonly string[], wanted: string): number {
  const position = lowerBound(sorted, wanted);
  return sorted[position] === wanted ? position : -1;
}

/** Sorts strings in ascending order: in parts, which are then merged pairwise. */
export async function sortWithYields(
  strings: Iterable<string>,
  yielder: Yielder,
): Promise<string[]> {
  let parts: string[][] = [];
  let part: string[] = [];
  const close = async (): Promise<void> => {
    parts.push(part.toSorted());
    part = [];
    if (yielder.isDue) await yielder.yield();
  };
  for (const string of strings) if (part.push(string) === AT_ONCE) await close();
  await close();
  while (parts.length > 1) {
    const merged: string[][] = [];
    for (let index = 0; index < parts.length; index += 2) {
      merged.push(await mergeWithYields(parts[index]!, parts[index + 1] ?? [], yielder));
    }
    parts = merged;
  }
  return parts[0]!;
}

async function mergeWithYields(
  a: readonly string[],
  b: readonly string[],
  yielder: Yielder,
): Promise<string[]> {
  const merged: string[] = [];
  for (let [inA, inB] = [0, 0]; inA < a.length || inB < b.length;) {
    const isA = inB === b.length || (inA < a.length && a[inA]! < b[inB]!);
    const { length } = merged;
    merged[length] = isA ? a[inA++]! : b[inB++]!;
    if (length % AT_ONCE === 0 && yielder.isDue) await yielder.yield();
  }
  return merged;
}

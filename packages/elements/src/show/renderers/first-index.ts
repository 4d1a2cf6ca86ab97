/**
 * The first index below `count` for which a condition holds, by halving; `count` if there is none. If
 * the condition holds for an index, it must hold for all after it.
 */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

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

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size in bytes for people: `1.2 MB`. */
export function sizeInWords(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.5 would be shown as 1000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(unit > 0 && value < 9.95 ? 1 : 0)} ${UNITS[unit]}`;
}

/** How much of something is done, in whole percent; 0 while nobody knows how much it is. */
export function percentOf(done: number, total: number): number {
  return total > 0 ? Math.floor((done / total) * 100) : 0;
}

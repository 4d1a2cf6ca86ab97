/** The entries of a segment that contain a word, and its weight in each, packed as numbers. */
export type Postings = number[];

const WEIGHT_BITS = 8;
const WEIGHT_MASK = 0xff;

/** One entry of {@link Postings}. */
export function posting(entry: number, weight: number): number {
  return (entry << WEIGHT_BITS) | weight;
}

/**
 * Appends postings, with ascending entries, to bytes. Each posting is the number of entries skipped
 * since the last one, then the weight in one byte. The number takes seven bits a byte, lowest
 * first, with the top bit set on all but the last byte.
 */
export function encode(postings: Postings, bytes: number[]): void {
  let last = -1;
  for (const packed of postings) {
    const entry = packed >>> WEIGHT_BITS;
    let gap = entry - last - 1;
    last = entry;
    for (; gap > 0x7f; gap >>>= 7) bytes.push((gap & 0x7f) | 0x80);
    bytes.push(gap, packed & WEIGHT_MASK);
  }
}

/** Calls `each` with every entry and its weight in the bytes from `start` to `end`. */
export function decode(
  bytes: Uint8Array,
  start: number,
  end: number,
  each: (entry: number, weight: number) => void,
): void {
  let entry = -1;
  for (let position = start; position < end;) {
    let gap = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = bytes[position++] ?? 0;
      gap |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte > 0x7f);
    entry += gap + 1;
    each(entry, bytes[position++] ?? 0);
  }
}

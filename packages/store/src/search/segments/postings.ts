/** Which entries of a segment have a word, and how much it says of them, packed as numbers. */
export type Postings = number[];

const WEIGHT_BITS = 8;
const WEIGHT_MASK = 0xff;

/** One entry of {@link Postings}. */
export function posting(entry: number, weight: number): number {
  return (entry << WEIGHT_BITS) | weight;
}

/**
 * Appends postings to bytes: for each entry, which must ascend, how many entries after the one before
 * it is, seven bits a byte with the lowest first and the top bit set on all but the last; then its
 * weight.
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

/** Calls back with each entry and its weight, of the bytes from one position to another. */
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

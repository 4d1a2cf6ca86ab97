/** Creates a bitmap with a bit for each entry of a segment; no bit is set. */
export function emptyBitmap(length: number): Uint8Array {
  return new Uint8Array((length + 7) >>> 3);
}

/** Whether a bit is set. */
export function hasBit(bitmap: Uint8Array, position: number): boolean {
  return ((bitmap[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0;
}

/** Sets a bit. */
export function setBit(bitmap: Uint8Array, position: number): void {
  bitmap[position >>> 3]! |= 1 << (position & 7);
}

/** Counts the bits that are set. */
export function countBits(bitmap: Uint8Array): number {
  let count = 0;
  for (let byte of bitmap) {
    for (; byte !== 0; byte &= byte - 1) count += 1;
  }
  return count;
}

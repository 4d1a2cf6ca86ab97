import { isWebKit } from '../support/engine.js';

export const MIB = 1024 * 1024;

/**
 * The most bytes of a piece in these tests: enough for several reads. The scenarios and the faults have
 * pieces of the size that is the default.
 */
export const PIECE = 2 * MIB;

/** The size past which a file is stored in pieces: in WebKit (2.50) it is smaller. */
export const WHOLE = isWebKit ? PIECE / 16 : PIECE;

/** In how many pieces a file is stored. */
export function piecesOf(sizeBytes: number): number {
  return sizeBytes > WHOLE ? Math.ceil(sizeBytes / PIECE) : 0;
}

/**
 * Bytes that show from where and of what they are: each MiB is filled with a number of its own, and
 * no two of the first hundred marks share one with each other at the same place.
 */
export function markedBlob(sizeBytes: number, mark = 0): Blob {
  const parts: Blob[] = [];
  for (let offset = 0; offset < sizeBytes; offset += MIB) {
    const length = Math.min(MIB, sizeBytes - offset);
    parts.push(new Blob([new Uint8Array(length).fill(offset / MIB + mark)]));
  }
  return new Blob(parts);
}

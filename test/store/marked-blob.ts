export const MIB = 1024 * 1024;

/** The size past which a file is stored in pieces, and of those. */
export const PIECE = 16 * MIB;

/**
 * Bytes that tell from where and of what they are: each MiB is filled with a number of its own, and
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

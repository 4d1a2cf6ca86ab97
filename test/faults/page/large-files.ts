import { sizeOf } from '../../support/test-size.js';
import { runtime } from './opened.js';

const MIB = 1024 * 1024;
const PIECE_BYTES = 16 * MIB;

/** A file to be written. */
export interface Written {
  path: string;
  size: number;
  /** Whether what is handed over is a part of a larger Blob. */
  isPart: boolean;
}

const LARGEST = sizeOf({ ci: 40_000_000, soak: 100_000_000 });

/** Where a piece ends, and at each side of it; and far more than one. */
const WHOLE_SIZES = [0, 1, MIB + 1, 16 * MIB, 16 * MIB + 1, LARGEST];
const PART_SIZES = [1, MIB + 1, 20 * MIB];

/** Files of all sizes at which something changes. */
export const filesOfEverySize = (): Written[] => [
  ...WHOLE_SIZES.map((size) => ({ path: `whole/${size}.bin`, size, isPart: false })),
  ...PART_SIZES.map((size) => ({ path: `part/${size}.bin`, size, isPart: true })),
];

/** How much is compared at a time, in bytes; no piece ends where one does. */
const COMPARED_BYTES = 3_000_000;

/** How long the ranges are that are read by themselves, in bytes. */
const RANGE_BYTES = 1_000;

/** Writes all of them; resolves with how many bytes they have together. */
export async function writeLargeFiles(files: readonly Written[]): Promise<number> {
  for (const { path, size, isPart } of files) {
    const bytes = patternOf(path, 0, size);
    const blob = isPart
      ? new Blob(['before', bytes, 'behind']).slice('before'.length, 'before'.length + size)
      : new Blob([bytes]);
    await runtime.files.write(path, blob);
  }
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Reads all of them, whole and in ranges; resolves with what is wrong. */
export async function compareLargeFiles(files: readonly Written[]): Promise<string[]> {
  const problems: string[] = [];
  for (const file of files) {
    const { path, size } = file;
    const { blob } = await runtime.files.read(path);
    const { state } = await runtime.files.verify(path);
    if (state !== 'intact') problems.push(`${path} is ${state}.`);
    if (blob.size !== size) problems.push(`${path} has ${blob.size} bytes.`);
    for (const [start, end] of [...portionsOf(size), ...rangesOf(size)]) {
      const bytes = new Uint8Array(await blob.slice(start, end).arrayBuffer());
      if (isSame(bytes, patternOf(path, start, end))) continue;
      problems.push(`${path}: the bytes from ${start} to ${end} are others.`);
    }
  }
  return problems;
}

/** Exports everything, deletes it, and brings it back in; resolves with what is wrong. */
export async function exportAndImport(files: readonly Written[]): Promise<string[]> {
  const archive = await new Response(await runtime.storage.exportZip()).blob();
  for (const { path } of files) await runtime.files.delete(path);
  const { skipped, files: counts } = await runtime.storage.importZip(archive, {
    maxBytes: Infinity,
  });
  const isAll = counts.added === files.length && skipped.length === 0;
  return isAll ? [] : [`Brought in: ${JSON.stringify({ counts, skipped })}`];
}

type Range = [start: number, end: number];

/** All of a file, one after the other. */
function portionsOf(size: number): Range[] {
  return Array.from({ length: Math.ceil(size / COMPARED_BYTES) }, (_, index) => [
    index * COMPARED_BYTES,
    Math.min((index + 1) * COMPARED_BYTES, size),
  ]);
}

/** Across the end of each piece, and at the end. */
function rangesOf(size: number): Range[] {
  const ends = Array.from({ length: Math.floor(size / PIECE_BYTES) }, (_, index) => index + 1);
  return [...ends.map((end) => end * PIECE_BYTES), size].map((middle) => [
    Math.max(0, middle - RANGE_BYTES),
    Math.min(middle + RANGE_BYTES, size),
  ]);
}

/** Bytes of which each depends on its place and on the file. */
function patternOf(path: string, start: number, end: number): Uint8Array<ArrayBuffer> {
  const first = Math.floor(start / 4);
  const words = new Uint32Array(Math.ceil(end / 4) - first);
  for (let index = 0; index < words.length; index += 1) {
    words[index] = Math.imul(first + index + path.length, 2_654_435_761);
  }
  return new Uint8Array(words.buffer, start - first * 4, end - start);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

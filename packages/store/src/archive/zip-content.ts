import { StoreError } from '../errors/store-error.js';
import { ArchiveBytes, type ArchivePart } from './archive-bytes.js';
import { chunksOf, joined } from './chunks.js';
import { crc32 } from './crc32.js';
import { findDirectory, partOf, type ZipDirectory, type ZipEntry } from './read-zip.js';
import { UnfitEntry } from './unfit-entry.js';
import { METHOD } from './zip-format.js';

/**
 * How much of an entry is taken at a time, in bytes. When it is inflated it grows a thousandfold at most,
 * and may come out in one go.
 */
const TAKEN_BYTES = 64 * 1024;

/** How much of an inflated file is put into one Blob, in bytes. */
const PART_BYTES = 4 * 1024 * 1024;

/** An archive whose directory was found. */
export interface OpenZip {
  bytes: ArchiveBytes;
  directory: ZipDirectory;
}

/** @throws {StoreError} `invalid-argument` unless it ends like a zip archive. */
export async function openZip(blob: Blob): Promise<OpenZip> {
  const bytes = new ArchiveBytes(blob);
  return { bytes, directory: await findDirectory(bytes) };
}

/**
 * The bytes of an entry, in memory.
 *
 * @param limit The most that there may be.
 * @throws {UnfitEntry} where there are more, or others than the archive says.
 */
export async function readBytes(
  zip: OpenZip,
  entry: ZipEntry,
  limit: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!entry.problem && entry.size > limit)
    throw new UnfitEntry(`It has more than ${limit} bytes.`);
  const parts: Uint8Array[] = [];
  for await (const chunk of readChunks(zip, entry, signal)) parts.push(chunk);
  return joined(parts, entry.size);
}

/**
 * The bytes of an entry as they come; whether they are right is known only when they have ended. They
 * end as soon as they are more than they are to be.
 *
 * @throws {UnfitEntry} where they are others than the archive says.
 */
export async function* readChunks(
  { bytes, directory }: OpenZip,
  entry: ZipEntry,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const pieces = piecesOf(bytes, await partOf(bytes, directory, entry));
  const chunks = entry.method === METHOD.deflated ? inflated(pieces) : pieces;
  let length = 0;
  let found = 0;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    length += chunk.length;
    if (length > entry.size) throw new UnfitEntry('It has more bytes than the archive says.');
    found = crc32(chunk, found);
    yield chunk;
  }
  if (length < entry.size) throw new UnfitEntry('It has fewer bytes than the archive says.');
  if (found !== entry.crc)
    throw new UnfitEntry('It was damaged on its way: its checksum does not fit.');
}

/**
 * The bytes of an entry as a Blob: a part of the archive itself where they are stored as they are,
 * else one that the browser holds, on disk when it is large. All of them are read once.
 *
 * @param onread Hears how many have been read.
 * @throws {UnfitEntry} where they are others than the archive says.
 */
export async function readBlob(
  zip: OpenZip,
  entry: ZipEntry,
  signal?: AbortSignal,
  onread?: (bytes: number) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let read = 0;
  for await (const chunk of readChunks(zip, entry, signal)) {
    read += chunk.length;
    onread?.(read);
    if (entry.method === METHOD.stored) continue;
    chunks.push(chunk);
    length += chunk.length;
    if (length < PART_BYTES) continue;
    parts.push(new Blob(chunks));
    chunks = [];
    length = 0;
  }
  if (entry.method !== METHOD.stored) return new Blob([...parts, ...chunks]);
  const { start, size } = await partOf(zip.bytes, zip.directory, entry);
  return zip.bytes.blob.slice(start, start + size);
}

async function* inflated(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  try {
    yield* chunksOf(source.pipeThrough(new DecompressionStream('deflate-raw')));
  } catch (error) {
    // What was read and cannot be inflated is the archive's fault; what cannot be read is not.
    throw error instanceof StoreError ? error : new UnfitEntry('It cannot be inflated.');
  }
}

async function* piecesOf(
  bytes: ArchiveBytes,
  { start, size }: ArchivePart,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let done = 0; done < size; done += TAKEN_BYTES) {
    yield await bytes.read({ start: start + done, size: Math.min(TAKEN_BYTES, size - done) });
  }
}

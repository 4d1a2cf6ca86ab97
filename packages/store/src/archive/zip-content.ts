import { type StoreError, toStoreError } from '../store-error.js';
import { ArchiveBytes, type ArchivePart } from './archive-bytes.js';
import { chunksOf, joined } from './chunks.js';
import { crc32 } from './crc32.js';
import { findDirectory, partOf, type ZipDirectory, type ZipEntry } from './read-zip.js';
import { UnfitEntry } from './unfit-entry.js';
import { METHOD } from './zip-format.js';

/**
 * How much is handed to the inflating at a time, in bytes. It grows a thousandfold at most, and may
 * come out in one go.
 */
const INFLATED_AT_ONCE_BYTES = 64 * 1024;

/** How much of an inflated file is put into one Blob, in bytes. */
const PART_BYTES = 4 * 1024 * 1024;

/** How much of what is stored as it is is read at a time, in bytes. */
const READ_AT_ONCE_BYTES = 1024 * 1024;

/** An archive whose directory was found. */
export interface OpenZip {
  bytes: ArchiveBytes;
  directory: ZipDirectory;
}

/** @throws {StoreError} `invalid-argument` unless it ends like a zip archive. */
export async function openZip(blob: Blob): Promise<OpenZip> {
  return { bytes: new ArchiveBytes(blob), directory: await findDirectory(blob) };
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
  const part = await partInArchive(zip, entry);
  if (entry.size > limit) throw new UnfitEntry(`It has more than ${limit} bytes.`);
  const parts: Uint8Array[] = [];
  for await (const chunk of verified(zip.bytes, part, entry, signal)) parts.push(chunk);
  return joined(parts, entry.size);
}

/**
 * The bytes of an entry as they come; whether they are right is known only when they have ended.
 *
 * @throws {UnfitEntry} where they are others than the archive says.
 */
export async function* readChunks(
  zip: OpenZip,
  entry: ZipEntry,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield* verified(zip.bytes, await partInArchive(zip, entry), entry, signal);
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
  const part = await partInArchive(zip, entry);
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let read = 0;
  for await (const chunk of verified(zip.bytes, part, entry, signal)) {
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
  return entry.method === METHOD.stored ? zip.bytes.slice(part) : new Blob([...parts, ...chunks]);
}

async function partInArchive({ bytes, directory }: OpenZip, entry: ZipEntry): Promise<ArchivePart> {
  if (entry.problem !== undefined) throw new UnfitEntry(entry.problem);
  return await partOf(bytes, directory, entry);
}

/** The inflated bytes, which end as soon as they are more than they are to be. */
async function* verified(
  bytes: ArchiveBytes,
  part: ArchivePart,
  { method, size, crc }: ZipEntry,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const chunks = method === METHOD.deflated ? inflated(bytes, part) : stored(bytes, part);
  let length = 0;
  let found = 0;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    length += chunk.length;
    if (length > size) throw new UnfitEntry('It has more bytes than the archive says.');
    found = crc32(chunk, found);
    yield chunk;
  }
  if (length < size) throw new UnfitEntry('It has fewer bytes than the archive says.');
  if (found !== crc) throw new UnfitEntry('It was damaged on its way: its checksum does not fit.');
}

async function* inflated(
  bytes: ArchiveBytes,
  part: ArchivePart,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let failure: StoreError | undefined;
  const pieces = piecesOf(part, INFLATED_AT_ONCE_BYTES);
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { value: next } = pieces.next();
        if (!next) return controller.close();
        try {
          controller.enqueue(await bytes.read(next));
        } catch (error) {
          failure = toStoreError(error);
          throw failure;
        }
      },
    },
    { highWaterMark: 0 },
  );
  try {
    yield* chunksOf(source.pipeThrough(new DecompressionStream('deflate-raw')));
  } catch {
    // What was read and cannot be inflated is the archive's fault; what cannot be read is not.
    throw failure ?? new UnfitEntry('It cannot be inflated.');
  }
}

async function* stored(
  bytes: ArchiveBytes,
  part: ArchivePart,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (const piece of piecesOf(part, READ_AT_ONCE_BYTES)) yield await bytes.read(piece);
}

function* piecesOf(
  { start, size }: ArchivePart,
  length: number,
): Generator<ArchivePart, undefined> {
  for (let done = 0; done < size; done += length) {
    yield { start: start + done, size: Math.min(length, size - done) };
  }
}

import { StoreError } from '../errors/store-error.js';
import { ArchiveBytes, type ArchivePart } from './archive-bytes.js';
import { chunksOf, concatBytes } from './chunks.js';
import { crc32 } from './crc32.js';
import {
  entriesOf,
  findDirectory,
  locateBytes,
  type ZipDirectory,
  type ZipEntry,
} from './read-zip.js';
import { type ExportRoot, PLAIN_ROOT } from './export-roots.js';
import { InvalidEntry } from './invalid-entry.js';
import { METHOD } from './zip-format.js';

/**
 * The number of bytes of an entry that are read at a time. Inflated, they may be a thousand times as large,
 * and may arrive as one chunk.
 */
const READ_BYTES = 64 * 1024;

/** The size of the Blobs that hold an inflated file, in bytes. */
const PART_BYTES = 4 * 1024 * 1024;

/** A zip archive and its directory. */
export interface OpenZip {
  bytes: ArchiveBytes;
  directory: ZipDirectory;
  /** The place of the export in the archive. */
  root: ExportRoot;
}

/** @throws {StoreError} `invalid-argument` if the blob does not end like a zip archive. */
export async function openZip(blob: Blob): Promise<OpenZip> {
  const bytes = new ArchiveBytes(blob);
  return { bytes, directory: await findDirectory(bytes), root: PLAIN_ROOT };
}

/** An entry, by its name below the root of its archive. */
export interface RootedEntry extends ZipEntry {
  /** Whether it is not below the root; its name is then the whole path. */
  isBeside?: boolean;
}

/** The entries of an archive. Entries in the folders of an export have the name that the export has written. */
export async function* entriesBelowRoot({
  bytes,
  directory,
  root,
}: OpenZip): AsyncGenerator<RootedEntry> {
  for await (const entry of entriesOf(bytes, directory)) {
    const name = nameBelow(root, entry.name);
    if (name === undefined) yield { ...entry, isBeside: true };
    // The root itself may have an entry, too.
    else if (name !== '' || root.folder === '')
      yield name === entry.name ? entry : { ...entry, name };
  }
}

function nameBelow({ folder, notes, files }: ExportRoot, name: string): string | undefined {
  if (!name.startsWith(folder)) return undefined;
  const inner = name.slice(folder.length);
  if (inner.startsWith(notes)) return PLAIN_ROOT.notes + inner.slice(notes.length);
  return inner.startsWith(files) ? PLAIN_ROOT.files + inner.slice(files.length) : inner;
}

/**
 * Reads the bytes of an entry into memory.
 *
 * @param limit The most bytes allowed.
 * @throws {InvalidEntry} if the entry is larger, or its bytes do not match the directory.
 */
export async function readBytes(
  zip: OpenZip,
  entry: ZipEntry,
  limit: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!entry.problem && entry.size > limit)
    throw new InvalidEntry(`It has more than ${limit} bytes.`);
  const parts: Uint8Array[] = [];
  for await (const chunk of readChunks(zip, entry, signal)) parts.push(chunk);
  return concatBytes(parts, entry.size);
}

/**
 * Streams the bytes of an entry. They are verified only at the end, but the stream fails as soon as
 * it exceeds the size in the directory.
 *
 * @throws {InvalidEntry} if the bytes do not match the directory.
 */
export async function* readChunks(
  { bytes, directory }: OpenZip,
  entry: ZipEntry,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const pieces = piecesOf(bytes, await locateBytes(bytes, directory, entry));
  const chunks = entry.method === METHOD.deflated ? inflate(pieces) : pieces;
  let length = 0;
  let found = 0;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    length += chunk.length;
    if (length > entry.size) throw new InvalidEntry('It has more bytes than the archive says.');
    found = crc32(chunk, found);
    yield chunk;
  }
  if (length < entry.size) throw new InvalidEntry('It has fewer bytes than the archive says.');
  if (found !== entry.crc) throw new InvalidEntry('It is damaged: its checksum does not match.');
}

/**
 * The bytes of an entry as a Blob. If the entry is not compressed, it is a slice of the archive.
 * Else it is a new Blob, which the browser keeps on disk if it is large. All bytes are read once.
 *
 * @param onread Called with the number of bytes that were read.
 * @throws {InvalidEntry} if the bytes do not match the directory.
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
  const { start, size } = await locateBytes(zip.bytes, zip.directory, entry);
  return zip.bytes.blob.slice(start, start + size);
}

async function* inflate(
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
    // If the bytes were read and cannot be inflated, the entry is invalid. Read errors are
    // rethrown.
    throw error instanceof StoreError ? error : new InvalidEntry('It cannot be inflated.');
  }
}

async function* piecesOf(
  bytes: ArchiveBytes,
  { start, size }: ArchivePart,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let done = 0; done < size; done += READ_BYTES) {
    yield await bytes.read({ start: start + done, size: Math.min(READ_BYTES, size - done) });
  }
}

import { bytesOf } from '../database/blob-bytes.js';
import { ChunkBuffer } from './chunks.js';
import { crc32 } from './crc32.js';
import {
  ELSEWHERE_16,
  ELSEWHERE_32,
  FLAG,
  LENGTH,
  METHOD,
  SIGNATURE,
  toDosTime,
  ZIP64_FIELD,
} from './zip-format.js';

/** A file that goes into an archive. */
export interface ZipSource {
  /** The full path in the archive. */
  name: string;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  content: Uint8Array<ArrayBuffer> | Blob;
  /**
   * Called if the Blob could not be read to the end. The archive then contains the bytes that could
   * be read, and continues.
   */
  onunreadable?: (error: unknown) => void;
}

/** An entry whose bytes are written. */
interface WrittenEntry {
  name: Uint8Array;
  modifiedAt: number;
  flags: number;
  crc: number;
  size: number;
  offset: number;
}

const VERSION_NEEDED = 20;
const VERSION_NEEDED_ZIP64 = 45;
/** The version that made the entry, with Unix as its system, so that the permissions below count. */
const VERSION_MADE_BY = (3 << 8) | 45;
/** A regular file that its owner may write and everyone may read. */
const ATTRIBUTES = 0o100_644 * 2 ** 16;

/**
 * A zip archive of a stream of files, uncompressed, in chunks of 256 KiB or more. A file is
 * requested only when its chunk is. Of earlier files, only their directory entries stay in memory.
 *
 * Written by hand, because client-zip (2.5.1) writes no zip64 directory for more than 65,534 small
 * entries: unzip and others cannot read such an archive, and there may be 100,000 notes.
 */
export async function* zipOf(
  sources: AsyncIterable<ZipSource>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const buffer = new ChunkBuffer();
  for await (const chunk of recordsOf(sources)) yield* buffer.add(chunk);
  yield* buffer.flush();
}

async function* recordsOf(sources: AsyncIterable<ZipSource>): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array<ArrayBuffer>[] = [];
  const buffer = new ChunkBuffer();
  let offset = 0;
  let count = 0;
  for await (const source of sources) {
    const start = offset;
    for await (const part of entryOf(source, start)) {
      if (part instanceof Uint8Array) {
        yield part;
        offset += part.length;
      } else {
        directory.push(...buffer.add(directoryEntryOf(part)));
        count += 1;
      }
    }
  }
  directory.push(...buffer.flush());
  yield* directory;
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  yield endOf({ count, size, offset });
}

/** The bytes of an entry, and at the end the fields for the directory. */
async function* entryOf(
  { name: path, modifiedAt, content, onunreadable }: ZipSource,
  offset: number,
): AsyncGenerator<Uint8Array | WrittenEntry> {
  const name = new TextEncoder().encode(path);
  if (content instanceof Uint8Array) {
    const crc = crc32(content);
    const written = { name, modifiedAt, flags: FLAG.utf8, crc, size: content.length, offset };
    yield localHeaderOf(written);
    yield content;
    yield written;
    return;
  }
  // The CRC is known only after the bytes are written: it follows them in a descriptor.
  const written: WrittenEntry = {
    name,
    modifiedAt,
    flags: FLAG.utf8 | FLAG.hasDescriptor,
    crc: 0,
    size: 0,
    offset,
  };
  const isLarge = content.size >= ELSEWHERE_32;
  yield localHeaderOf(written, isLarge);
  try {
    for await (const bytes of bytesOf(content)) {
      const chunk = new Uint8Array(bytes);
      written.crc = crc32(chunk, written.crc);
      written.size += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (!onunreadable) throw error;
    onunreadable(error);
  }
  yield descriptorOf(written, isLarge);
  yield written;
}

/** Makes a local header (4.3.7). */
function localHeaderOf(entry: WrittenEntry, isLarge = false): Uint8Array {
  const { name, flags, crc, size } = entry;
  const fields: Field[] = isLarge ? [16, ZIP64_FIELD, 16, 16, 64, 0, 64, 0] : [];
  const shownSize = isLarge ? ELSEWHERE_32 : size;
  return record(
    [32, SIGNATURE.localHeader, 16, isLarge ? VERSION_NEEDED_ZIP64 : VERSION_NEEDED],
    [16, flags, 16, METHOD.stored, ...timeFields(entry)],
    [32, crc, 32, shownSize, 32, shownSize, 16, name.length, 16, isLarge ? 20 : 0],
    name,
    fields,
  );
}

/** Makes a data descriptor (4.3.9). */
function descriptorOf({ crc, size }: WrittenEntry, isLarge: boolean): Uint8Array {
  const width = isLarge ? 64 : 32;
  return record([32, SIGNATURE.dataDescriptor, 32, crc, width, size, width, size]);
}

/** Makes an entry of the directory (4.3.12). */
function directoryEntryOf(entry: WrittenEntry): Uint8Array {
  const { name, flags, crc, size, offset } = entry;
  const large: Field[] = [];
  if (size >= ELSEWHERE_32) large.push(64, size, 64, size);
  if (offset >= ELSEWHERE_32) large.push(64, offset);
  const largeBytes = large.length * 4;
  const extra: Field[] = largeBytes === 0 ? [] : [16, ZIP64_FIELD, 16, largeBytes, ...large];
  const shownSize = Math.min(size, ELSEWHERE_32);
  const needed = largeBytes === 0 ? VERSION_NEEDED : VERSION_NEEDED_ZIP64;
  return record(
    [32, SIGNATURE.directoryEntry, 16, VERSION_MADE_BY, 16, needed],
    [16, flags, 16, METHOD.stored, ...timeFields(entry)],
    [32, crc, 32, shownSize, 32, shownSize],
    [16, name.length, 16, extra.length === 0 ? 0 : largeBytes + 4, 16, 0],
    // The disk, internal attributes, the permissions.
    [16, 0, 16, 0, 32, ATTRIBUTES, 32, Math.min(offset, ELSEWHERE_32)],
    name,
    extra,
  );
}

/** Makes the end of the archive (4.3.14 to 4.3.16). */
function endOf(directory: { count: number; size: number; offset: number }): Uint8Array {
  const { count, size, offset } = directory;
  const isLarge = count >= ELSEWHERE_16 || size >= ELSEWHERE_32 || offset >= ELSEWHERE_32;
  const shownCount = Math.min(count, ELSEWHERE_16);
  const end = record(
    [32, SIGNATURE.end, 16, 0, 16, 0, 16, shownCount, 16, shownCount],
    [32, Math.min(size, ELSEWHERE_32), 32, Math.min(offset, ELSEWHERE_32), 16, 0],
  );
  if (!isLarge) return end;
  return record(
    [32, SIGNATURE.zip64End, 64, LENGTH.zip64End - 12, 16, VERSION_MADE_BY],
    [16, VERSION_NEEDED_ZIP64, 32, 0, 32, 0, 64, count, 64, count, 64, size, 64, offset],
    [32, SIGNATURE.zip64Locator, 32, 0, 64, offset + size, 32, 1],
    end,
  );
}

function timeFields({ modifiedAt }: WrittenEntry): Field[] {
  const { date, time } = toDosTime(modifiedAt);
  return [16, time, 16, date];
}

/** Alternately the width of a field in bits, and its value. */
type Field = number;

/** Concatenates fields, in little-endian order, and raw bytes. */
function record(...parts: (readonly Field[] | Uint8Array)[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + lengthOf(part), 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const part of parts) {
    if (part instanceof Uint8Array) {
      bytes.set(part, offset);
      offset += part.length;
      continue;
    }
    for (let index = 0; index < part.length; index += 2) {
      const [width, value] = [part[index]!, part[index + 1]!];
      if (width === 16) view.setUint16(offset, value, true);
      else if (width === 32) view.setUint32(offset, value, true);
      else view.setBigUint64(offset, BigInt(value), true);
      offset += width / 8;
    }
  }
  return bytes;
}

function lengthOf(part: readonly Field[] | Uint8Array): number {
  if (part instanceof Uint8Array) return part.length;
  return part.reduce((sum, width, index) => (index % 2 === 0 ? sum + width / 8 : sum), 0);
}

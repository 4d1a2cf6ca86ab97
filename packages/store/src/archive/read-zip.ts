import { StoreError } from '../errors/store-error.js';
import type { ArchiveBytes, ArchivePart } from './archive-bytes.js';
import { InvalidEntry } from './invalid-entry.js';
import {
  ELSEWHERE_16,
  ELSEWHERE_32,
  FLAG,
  fromDosTime,
  LENGTH,
  METHOD,
  SIGNATURE,
  ZIP64_FIELD,
} from './zip-format.js';

/**
 * Written by hand, because unzipit (2.1.1) holds the whole directory in memory however many entries
 * the archive claims, stops at the first invalid entry, and never checks a CRC. For the bytes of an
 * entry see read-zip-entries.ts.
 */

/** The position of an archive's directory. */
export interface ZipDirectory {
  offset: number;
  size: number;
}

/** An entry of the directory; none of its fields can be trusted. */
export interface ZipEntry {
  /** The full path; invalid UTF-8 is replaced by U+FFFD. */
  name: string;
  /** Why the entry cannot be read; absent if it may be readable. */
  problem?: string;
  method: number;
  crc: number;
  /** The size in the archive, in bytes. */
  compressedSize: number;
  /** The uncompressed size, in bytes. */
  size: number;
  /** The position of its local header. */
  offset: number;
  /** Milliseconds since 1970, to two seconds. */
  modifiedAt: number;
}

/** The longest comment that an archive may end with. */
const MAX_COMMENT_BYTES = 0xff_ff;
/** How much of the directory is in memory at a time, in bytes. */
const WINDOW_BYTES = 1024 * 1024;
/** The largest entry of a directory, in bytes. */
const MAX_ENTRY_BYTES = LENGTH.directoryEntry + 3 * 0xff_ff;

/** The largest compression ratio of an entry, */
const MAX_RATIO = 200;
/** not counting its first bytes: small files may contain only zeros. */
const DENSE_BYTES = 4 * 1024 * 1024;

/** @throws {StoreError} `invalid-argument` unless it ends like a zip archive. */
export async function findDirectory(archive: ArchiveBytes): Promise<ZipDirectory> {
  const length = Math.min(archive.blob.size, LENGTH.end + MAX_COMMENT_BYTES);
  const tail = await viewOf(archive, archive.blob.size - length, length);
  for (let at = length - LENGTH.end; at >= 0; at--) {
    if (tail.getUint32(at, true) !== SIGNATURE.end) continue;
    // It is the end record only if its comment ends with the archive.
    if (at + LENGTH.end + tail.getUint16(at + 20, true) !== length) continue;
    const end = archive.blob.size - length + at;
    const shown = { offset: tail.getUint32(at + 16, true), size: tail.getUint32(at + 12, true) };
    const isElsewhere =
      tail.getUint16(at + 10, true) === ELSEWHERE_16 ||
      shown.offset === ELSEWHERE_32 ||
      shown.size === ELSEWHERE_32;
    const directory = (isElsewhere && (await findZip64Directory(archive, end))) || shown;
    if (directory.offset + directory.size <= end) return directory;
  }
  throw notZip();
}

/** Undefined if it does not exist: an archive may have exactly 65,535 entries. */
async function findZip64Directory(
  archive: ArchiveBytes,
  end: number,
): Promise<ZipDirectory | undefined> {
  if (end < LENGTH.zip64Locator) return undefined;
  const locator = await viewOf(archive, end - LENGTH.zip64Locator, LENGTH.zip64Locator);
  if (locator.getUint32(0, true) !== SIGNATURE.zip64Locator) return undefined;
  const at = uint64(locator, 8);
  if (at + LENGTH.zip64End > end) throw notZip();
  const record = await viewOf(archive, at, LENGTH.zip64End);
  if (record.getUint32(0, true) !== SIGNATURE.zip64End) throw notZip();
  return { size: uint64(record, 40), offset: uint64(record, 48) };
}

/**
 * The entries of an archive, including folders, in the order of its directory. Reads it in parts.
 *
 * @throws {StoreError} `invalid-argument` at the first damaged entry.
 */
export async function* entriesOf(
  archive: ArchiveBytes,
  { offset, size }: ZipDirectory,
): AsyncGenerator<ZipEntry> {
  const end = offset + size;
  let start = offset;
  while (start < end) {
    const length = Math.min(WINDOW_BYTES, end - start);
    const view = await viewOf(archive, start, length);
    // A window may end within an entry; only the last window is read to its end.
    const isLast = start + length === end;
    const until = isLast ? length : length - MAX_ENTRY_BYTES + 1;
    let at = 0;
    while (at < until) {
      const entry = readEntry(view, at);
      yield entry;
      at += entry.bytes;
    }
    start += at;
  }
}

function readEntry(view: DataView, at: number): ZipEntry & { bytes: number } {
  const left = view.byteLength - at;
  if (left < LENGTH.directoryEntry) throw damagedDirectory();
  if (view.getUint32(at, true) !== SIGNATURE.directoryEntry) throw damagedDirectory();
  const nameLength = view.getUint16(at + 28, true);
  const extraLength = view.getUint16(at + 30, true);
  const bytes = LENGTH.directoryEntry + nameLength + extraLength + view.getUint16(at + 32, true);
  if (left < bytes) throw damagedDirectory();
  const nameAt = at + LENGTH.directoryEntry;
  const name = new Uint8Array(view.buffer, view.byteOffset + nameAt, nameLength);
  const extra = new DataView(view.buffer, view.byteOffset + nameAt + nameLength, extraLength);
  const flags = view.getUint16(at + 8, true);
  const entry: ZipEntry = {
    name: new TextDecoder('utf-8', { ignoreBOM: true }).decode(name),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    compressedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
    modifiedAt: fromDosTime(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
  };
  const problem = readLargeFields(entry, extra) ?? problemOf(entry, flags, name);
  return { ...entry, ...(problem !== undefined && { problem }), bytes };
}

/** Replaces fields by their 64-bit values. Returns the problem if one is missing. */
function readLargeFields(entry: ZipEntry, extra: DataView): string | undefined {
  const names = (['size', 'compressedSize', 'offset'] as const).filter(
    (name) => entry[name] === ELSEWHERE_32,
  );
  if (names.length === 0) return undefined;
  let at = 0;
  while (at + 4 <= extra.byteLength) {
    const length = extra.getUint16(at + 2, true);
    if (extra.getUint16(at, true) !== ZIP64_FIELD) {
      at += 4 + length;
      continue;
    }
    if (length < names.length * 8 || at + 4 + length > extra.byteLength) break;
    for (const [index, name] of names.entries()) entry[name] = uint64(extra, at + 4 + index * 8);
    return undefined;
  }
  return 'Its sizes are missing from the archive.';
}

function problemOf({ method, compressedSize, size }: ZipEntry, flags: number, name: Uint8Array) {
  if (flags & FLAG.encrypted) return 'It is encrypted.';
  if (method !== METHOD.stored && method !== METHOD.deflated) {
    return 'Its compression method is not supported.';
  }
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(compressedSize)) {
    return 'It cannot be as large as the archive says.';
  }
  if (method === METHOD.stored && compressedSize !== size)
    return 'Its sizes contradict each other.';
  // Against zip bombs.
  if (size > DENSE_BYTES + MAX_RATIO * compressedSize) {
    return 'It would be far larger than it is in the archive.';
  }
  return isUtf8(name) ? undefined : 'Its name is not in UTF-8.';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Locates the bytes of an entry.
 *
 * @throws {InvalidEntry} if the entry cannot be read, or is not at its offset.
 */
export async function locateBytes(
  archive: ArchiveBytes,
  directory: ZipDirectory,
  { offset, compressedSize: size, problem }: ZipEntry,
): Promise<ArchivePart> {
  if (problem !== undefined) throw new InvalidEntry(problem);
  const missing = new InvalidEntry('It is not at the position that the archive states.');
  if (offset + LENGTH.localHeader > directory.offset) throw missing;
  const header = await viewOf(archive, offset, LENGTH.localHeader);
  if (header.getUint32(0, true) !== SIGNATURE.localHeader) throw missing;
  const start =
    offset + LENGTH.localHeader + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + size > directory.offset) throw missing;
  return { start, size };
}

async function viewOf(archive: ArchiveBytes, start: number, size: number): Promise<DataView> {
  const bytes = await archive.read({ start, size });
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Above the safe integers the result is inexact; it is then too large for any archive. */
function uint64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function notZip(): StoreError {
  return new StoreError('invalid-argument', 'This is not a zip archive, or it is incomplete.');
}

function damagedDirectory(): StoreError {
  return new StoreError('invalid-argument', 'The directory of the zip archive is damaged.');
}

import { StoreError } from '../errors/store-error.js';
import type { ArchiveBytes, ArchivePart } from './archive-bytes.js';
import { crc32 } from './crc32.js';
import { InvalidEntry } from './invalid-entry.js';
import {
  ELSEWHERE_16,
  ELSEWHERE_32,
  FLAG,
  fromDosTime,
  LENGTH,
  METHOD,
  SIGNATURE,
  UNICODE_PATH_FIELD,
  ZIP64_FIELD,
} from './zip-format.js';

/**
 * Written by hand, because unzipit (2.1.1) keeps the whole directory in memory regardless of the number of
 * entries, stops at the first invalid entry, and never checks a CRC. For the bytes of an entry see
 * read-zip-entries.ts.
 */

/** The position of an archive's directory. */
export interface ZipDirectory {
  offset: number;
  size: number;
  /** The number of other bytes before the archive, from which all its positions count. */
  base: number;
  /** The number of entries that the archive states, in 16 bits. */
  count: number;
}

/** An entry of the directory; none of its fields can be trusted. */
export interface ZipEntry {
  /** The full path. */
  name: string;
  /** Whether the encoding of the name is unknown. The name then has U+FFFD where it is not UTF-8. */
  isGarbled: boolean;
  /** The reason why the entry cannot be read; absent if it may be readable. */
  problem?: string;
  method: number;
  crc: number;
  /** The size in the archive, in bytes. */
  compressedSize: number;
  /** The uncompressed size, in bytes. */
  size: number;
  /** The position of its local header. */
  offset: number;
  /** The time in milliseconds since 1970, with a resolution of two seconds. */
  modifiedAt: number;
}

/** The longest comment that an archive may end with. */
const MAX_COMMENT_BYTES = 0xff_ff;
/** The maximum size of the part of the directory that is in memory at a time, in bytes. */
const WINDOW_BYTES = 1024 * 1024;
/** The largest entry of a directory, in bytes. */
const MAX_ENTRY_BYTES = LENGTH.directoryEntry + 3 * 0xff_ff;

/** The largest compression ratio of deflate. */
const MAX_RATIO = 1032;

/** The mask of the file type in the mode of a Unix entry. */
const UNIX_KIND = 0o170_000;
const UNIX_FILES: readonly number[] = [0, 0o100_000, 0o040_000];
/** The attribute of Windows that marks a file as a link. */
const REPARSE_POINT = 0x4_00;

/** @throws {StoreError} `invalid-argument` unless it ends like a zip archive. */
export async function findDirectory(archive: ArchiveBytes): Promise<ZipDirectory> {
  const length = Math.min(archive.blob.size, LENGTH.end + MAX_COMMENT_BYTES);
  const tail = await viewOf(archive, archive.blob.size - length, length);
  for (let at = length - LENGTH.end; at >= 0; at--) {
    if (tail.getUint32(at, true) !== SIGNATURE.end) continue;
    // It is the end record only if its comment ends with the archive.
    if (at + LENGTH.end + tail.getUint16(at + 20, true) !== length) continue;
    const end = archive.blob.size - length + at;
    const count = tail.getUint16(at + 10, true);
    const shown = {
      offset: tail.getUint32(at + 16, true),
      size: tail.getUint32(at + 12, true),
      end,
    };
    const isElsewhere =
      count === ELSEWHERE_16 || shown.offset === ELSEWHERE_32 || shown.size === ELSEWHERE_32;
    const directory = (isElsewhere && (await findZip64Directory(archive, end))) || shown;
    if (directory.offset + directory.size <= directory.end)
      return { ...(await locate(archive, directory)), count };
  }
  throw notZip();
}

/** The directory as the archive states it, and the end of the bytes that may belong to it. */
interface StatedDirectory {
  offset: number;
  size: number;
  end: number;
}

/** Finds out whether other bytes are before the archive, as before one that extracts itself. */
async function locate(
  archive: ArchiveBytes,
  { offset, size, end }: StatedDirectory,
): Promise<Omit<ZipDirectory, 'count'>> {
  const base = end - size - offset;
  const isHere = base === 0 || (await signatureAt(archive, offset)) === SIGNATURE.directoryEntry;
  return isHere ? { offset, size, base: 0 } : { offset: offset + base, size, base };
}

/**
 * Finds the zip64 directory; `undefined` if it does not exist, because an archive may have exactly 65,535
 * entries.
 */
async function findZip64Directory(
  archive: ArchiveBytes,
  end: number,
): Promise<StatedDirectory | undefined> {
  const locatorAt = end - LENGTH.zip64Locator;
  if ((await signatureAt(archive, locatorAt)) !== SIGNATURE.zip64Locator) return undefined;
  const locator = await viewOf(archive, locatorAt, LENGTH.zip64Locator);
  // If other bytes are before the archive, it is only at the second position.
  for (const at of [uint64(locator, 8), locatorAt - LENGTH.zip64End]) {
    if (at + LENGTH.zip64End > locatorAt) continue;
    if ((await signatureAt(archive, at)) !== SIGNATURE.zip64End) continue;
    const record = await viewOf(archive, at, LENGTH.zip64End);
    return { size: uint64(record, 40), offset: uint64(record, 48), end: at };
  }
  throw notZip();
}

/** The four bytes at a position; undefined outside of the archive. */
async function signatureAt(archive: ArchiveBytes, at: number): Promise<number | undefined> {
  if (at < 0 || at + 4 > archive.blob.size) return undefined;
  return (await viewOf(archive, at, 4)).getUint32(0, true);
}

/**
 * The entries of an archive, including folders, in the order of its directory. Reads it in parts.
 *
 * @throws {StoreError} `invalid-argument` at the first damaged entry.
 */
export async function* entriesOf(
  archive: ArchiveBytes,
  { offset, size, base }: ZipDirectory,
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
      const { entry, bytes } = readEntry(view, at);
      yield { ...entry, offset: entry.offset + base };
      at += bytes;
    }
    start += at;
  }
}

function readEntry(view: DataView, at: number): { entry: ZipEntry; bytes: number } {
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
  // The upper byte of the version says which system made the entry.
  const isUnix = view.getUint8(at + 5) === 3;
  const attributes = view.getUint32(at + 38, true);
  const entry: ZipEntry = {
    ...readName(name, flags, extra, isUnix),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    compressedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
    modifiedAt: fromDosTime(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
  };
  const isFile = isUnix
    ? UNIX_FILES.includes((attributes >>> 16) & UNIX_KIND)
    : (attributes & REPARSE_POINT) === 0;
  const problem =
    readLargeFields(entry, extra) ??
    (isFile ? problemOf(entry, flags) : 'It is a link, and not a file.');
  return { entry: { ...entry, ...(problem !== undefined && { problem }) }, bytes };
}

/** Reads the name of an entry (4.6.9, 4.4.17, appendix D). */
function readName(
  bytes: Uint8Array,
  flags: number,
  extra: DataView,
  isUnix: boolean,
): Pick<ZipEntry, 'name' | 'isGarbled'> {
  const known = (flags & FLAG.utf8 ? undefined : unicodePath(extra, bytes)) ?? decode(bytes, true);
  const name = known ?? decode(bytes, false)!;
  // .NET wrote names with backslashes on Windows, before version 4.6.1.
  const isWithBackslashes = !isUnix && !name.includes('/');
  return {
    name: isWithBackslashes ? name.replaceAll('\\', '/') : name,
    isGarbled: known === undefined,
  };
}

/** The name in UTF-8 that an entry has in addition to a name in another encoding. */
function unicodePath(extra: DataView, name: Uint8Array): string | undefined {
  const field = findField(extra, UNICODE_PATH_FIELD);
  if (!field || field.byteLength < 5 || field.getUint8(0) !== 1) return undefined;
  // Else the entry was renamed by a program that does not know this field.
  if (field.getUint32(1, true) !== crc32(name)) return undefined;
  return decode(new Uint8Array(field.buffer, field.byteOffset + 5, field.byteLength - 5), true);
}

/** Decodes a name; `undefined` if it is not UTF-8, and has to be. */
function decode(bytes: Uint8Array, fatal: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The content of an extra field (4.5.1). */
function findField(extra: DataView, id: number): DataView | undefined {
  for (let at = 0; at + 4 <= extra.byteLength;) {
    const length = extra.getUint16(at + 2, true);
    if (at + 4 + length > extra.byteLength) return undefined;
    if (extra.getUint16(at, true) === id)
      return new DataView(extra.buffer, extra.byteOffset + at + 4, length);
    at += 4 + length;
  }
  return undefined;
}

/** Replaces fields by their 64-bit values. Returns the problem if one is missing. */
function readLargeFields(entry: ZipEntry, extra: DataView): string | undefined {
  const names = (['size', 'compressedSize', 'offset'] as const).filter(
    (name) => entry[name] === ELSEWHERE_32,
  );
  if (names.length === 0) return undefined;
  const field = findField(extra, ZIP64_FIELD);
  if (!field || field.byteLength < names.length * 8)
    return 'Its sizes are missing from the archive.';
  for (const [index, name] of names.entries()) entry[name] = uint64(field, index * 8);
  return undefined;
}

function problemOf({ method, compressedSize, size }: ZipEntry, flags: number): string | undefined {
  if (flags & FLAG.encrypted) return 'It is encrypted.';
  if (method !== METHOD.stored && method !== METHOD.deflated) {
    return 'Its compression method is not supported.';
  }
  if (method === METHOD.stored && compressedSize !== size)
    return 'Its sizes contradict each other.';
  const isPossible = Number.isSafeInteger(size) && Number.isSafeInteger(compressedSize);
  if (!isPossible || size > MAX_RATIO * compressedSize)
    return 'It cannot be as large as the archive says.';
  return undefined;
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

/** The name before the bytes of an entry, as far as it is UTF-8; '' if the entry is not at its offset. */
export async function nameInHeader(archive: ArchiveBytes, { offset }: ZipEntry): Promise<string> {
  if ((await signatureAt(archive, offset)) !== SIGNATURE.localHeader) return '';
  const header = await viewOf(archive, offset, LENGTH.localHeader);
  const length = header.byteLength < LENGTH.localHeader ? 0 : header.getUint16(26, true);
  const name = await archive.read({ start: offset + LENGTH.localHeader, size: length });
  return decode(name, false)!;
}

async function viewOf(archive: ArchiveBytes, start: number, size: number): Promise<DataView> {
  const bytes = await archive.read({ start, size });
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Reads a number of 64 bits. Above the safe integers the result is inexact, but it is then too large for any
 * archive.
 */
function uint64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function notZip(): StoreError {
  return new StoreError('invalid-argument', 'This is not a zip archive, or it is incomplete.');
}

/** The error of an archive whose directory contradicts the format or the rest of it. */
export function damagedDirectory(): StoreError {
  return new StoreError('invalid-argument', 'The directory of the zip archive is damaged.');
}

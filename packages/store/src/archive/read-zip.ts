import { StoreError } from '../errors/store-error.js';
import type { ArchiveBytes, ArchivePart } from './archive-bytes.js';
import { UnfitEntry } from './unfit-entry.js';
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
 * By hand, because unzipit (2.1.1) holds the whole directory of an archive in memory however many
 * entries it claims, ends at the first that is wrong, and never looks at a CRC. For the bytes of an
 * entry see zip-content.ts.
 */

/** Where the directory of an archive is. */
export interface ZipDirectory {
  offset: number;
  size: number;
}

/** What the directory says of an entry; nothing of it is known to be true. */
export interface ZipEntry {
  /** Its whole path; what is not UTF-8 is replaced. */
  name: string;
  /** Why it cannot be read; absent where it may be. */
  problem?: string;
  method: number;
  crc: number;
  /** How many bytes it takes in the archive. */
  compressedSize: number;
  /** How many bytes it is to become. */
  size: number;
  /** Where its local header is. */
  offset: number;
  /** Milliseconds since 1970, to two seconds. */
  modifiedAt: number;
}

/** The longest comment that an archive may end with. */
const MAX_COMMENT_BYTES = 0xff_ff;
/** How much of the directory is in memory at a time, in bytes. */
const WINDOW_BYTES = 1024 * 1024;
/** More than the longest entry of a directory. */
const MAX_ENTRY_BYTES = LENGTH.directoryEntry + 3 * 0xff_ff;

/** How many times as large as in the archive an entry may become, */
const MAX_RATIO = 200;
/** but for these first bytes: there are small files of nothing but zeros. */
const DENSE_BYTES = 4 * 1024 * 1024;

/** @throws {StoreError} `invalid-argument` unless it ends like a zip archive. */
export async function findDirectory(archive: ArchiveBytes): Promise<ZipDirectory> {
  const length = Math.min(archive.blob.size, LENGTH.end + MAX_COMMENT_BYTES);
  const tail = await viewOf(archive, archive.blob.size - length, length);
  for (let at = length - LENGTH.end; at >= 0; at--) {
    if (tail.getUint32(at, true) !== SIGNATURE.end) continue;
    // It is one only where its comment ends with the archive.
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

/** Undefined where there is none: an archive may have exactly so many entries. */
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
 * The entries of an archive in the order of its directory, which is read some at a time. Folders of
 * the archive are among them.
 *
 * @throws {StoreError} `invalid-argument` where the directory is damaged; all before it were given.
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
    // What is left of the last window may be half an entry, but of the others it is not.
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
  if (left < LENGTH.directoryEntry) throw damaged();
  if (view.getUint32(at, true) !== SIGNATURE.directoryEntry) throw damaged();
  const nameLength = view.getUint16(at + 28, true);
  const extraLength = view.getUint16(at + 30, true);
  const bytes = LENGTH.directoryEntry + nameLength + extraLength + view.getUint16(at + 32, true);
  if (left < bytes) throw damaged();
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

/** Puts what did not fit in its place; what it says where something is missing. */
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
  return 'Its sizes are missing in the archive.';
}

function problemOf({ method, compressedSize, size }: ZipEntry, flags: number, name: Uint8Array) {
  if (flags & FLAG.encrypted) return 'It is encrypted.';
  if (method !== METHOD.stored && method !== METHOD.deflated) {
    return 'It is compressed in a way that is not known here.';
  }
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(compressedSize)) {
    return 'It cannot be as large as the archive says.';
  }
  if (method === METHOD.stored && compressedSize !== size)
    return 'Its sizes contradict each other.';
  // A small archive is not to become an enormous store.
  if (size > DENSE_BYTES + MAX_RATIO * compressedSize) {
    return 'It would become far larger than it is in the archive.';
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
 * Where the bytes of an entry are.
 *
 * @throws {UnfitEntry} where it cannot be read, or is not there.
 */
export async function partOf(
  archive: ArchiveBytes,
  directory: ZipDirectory,
  { offset, compressedSize: size, problem }: ZipEntry,
): Promise<ArchivePart> {
  if (problem !== undefined) throw new UnfitEntry(problem);
  const missing = new UnfitEntry('It is not where the archive says.');
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

/** Inexact, or too large to be a place in any archive, where it is no safe integer. */
function uint64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function notZip(): StoreError {
  return new StoreError('invalid-argument', 'This is not a zip archive, or not a whole one.');
}

function damaged(): StoreError {
  return new StoreError('invalid-argument', 'The directory of the zip archive is damaged.');
}

import { MAX_ARCHIVE_ENTRIES, MAX_FILE_BYTES } from '../schema/limits.js';
import { storageEstimate } from '../errors/storage-estimate.js';
import { formatMegabytes, StoreError } from '../errors/store-error.js';
import type { StoredFile } from '../schema/schema.js';
import { type ExportRoot, ExportRoots, isManifestName } from './export-roots.js';
import { FILES_FOLDER, MANIFEST_NAME } from './manifest.js';
import { MAX_NOTE_ENTRY_BYTES, NOTES_FOLDER } from './note-entry.js';
import {
  type Claim,
  type Claims,
  FIRST_MANIFEST_NAME,
  MAX_FIRST_MANIFEST_BYTES,
  parseFirstManifest,
  parseLines,
  readManifest,
  UnreadableManifest,
} from './read-manifest.js';
import { damagedDirectory, nameInHeader, type ZipEntry } from './read-zip.js';
import { ELSEWHERE_16 } from './zip-format.js';
import { entriesBelowRoot, type OpenZip, readBytes, readChunks } from './read-zip-entries.js';

/**
 * The number of bytes of a manifest that are read before it is chosen: its first line shows which app wrote
 * it.
 */
const MAX_HEAD_BYTES = 64 * 1024;

/** The facts about an archive that an import knows before it writes anything. */
export interface ArchiveScan {
  /** The archive with its root. */
  zip: OpenZip;
  claims: Claims;
  /** The files that are missing from the archive, or have only a garbled name there. */
  lost: StoredFile[];
  /** The total size of the entries that may be imported. */
  totalBytes: number;
}

/** Options of {@link scanArchive}. */
export interface ScanOptions {
  /** The maximum size: see `ImportOptions`. */
  maxBytes: number | undefined;
  signal: AbortSignal | undefined;
  /** Called with the path of each file that only the manifest contains. */
  onmissing: (path: string) => void;
  /** Called with the name of a manifest that cannot be read completely, and the reason. */
  onunreadable: (name: string, reason: string) => void;
}

/**
 * Reads the whole directory and the manifest of an archive. An archive may lack the manifest because a
 * program has left it out, or have one that cannot be read. It is then accepted if it has notes.
 *
 * @throws {StoreError} `invalid-argument` if it was not exported by this app; `quota-exceeded` if the browser
 *   reports less free space than needed; `too-large` above `maxBytes`.
 */
export async function scanArchive(
  zip: OpenZip,
  options: ScanOptions,
  isRooted = false,
): Promise<ArchiveScan> {
  const { signal, onmissing } = options;
  const claims: Claims = new Map();
  const garbledSizes = new Set<number>();
  const roots = new ExportRoots();
  let hasNotes = false;
  let manifest: ZipEntry | undefined;
  let firstManifest: ZipEntry | undefined;
  let last: ZipEntry | undefined;
  let entries = 0;
  let bytesInArchive = 0;
  let totalBytes = 0;
  for await (const entry of entriesBelowRoot(zip)) {
    signal?.throwIfAborted();
    entries += 1;
    last = entry;
    if (entries > MAX_ARCHIVE_ENTRIES) {
      refuse(`The archive has more than ${MAX_ARCHIVE_ENTRIES} entries.`);
    }
    // An entry that claims to be larger than the archive is invalid, and is skipped later.
    if (entry.compressedSize <= zip.bytes.blob.size) bytesInArchive += entry.compressedSize;
    // Many entries that share the same bytes: a zip bomb.
    if (bytesInArchive > zip.bytes.blob.size) refuse('The entries of the archive overlap.');
    if (entry.isBeside) continue;
    totalBytes += importableSize(entry, zip.bytes.blob);
    if (!isRooted && !isOfSystem(entry)) roots.add(entry);
    const name = entry.name.toLowerCase();
    if (name === MANIFEST_NAME && (!manifest || entry.name === MANIFEST_NAME)) manifest = entry;
    if (name === FIRST_MANIFEST_NAME) firstManifest ??= entry;
    hasNotes ||= /^notes\/[^]*\.md$/.test(name);
    if (!entry.name.startsWith(FILES_FOLDER) || isFolder(entry)) continue;
    claims.set(entry.name.slice(FILES_FOLDER.length), undefined);
    if (entry.isGarbled) garbledSizes.add(entry.size);
  }
  manifest ??= firstManifest;
  // Programs pack a folder with its name, and other files next to it.
  const root = isRooted ? zip.root : await roots.best((one) => headOf(zip, one, signal));
  if (!isSame(root, zip.root)) return await scanArchive({ ...zip, root }, options, true);
  const isOurs = manifest !== undefined || hasNotes;
  if (!isOurs && (await isDamaged(zip, entries, last))) throw damagedDirectory();
  if (!isOurs) refuse(`The archive has no ${MANIFEST_NAME}: it was not exported by this app.`);
  const checkSize = await sizeCheck(zip.bytes.blob.size, options.maxBytes);
  const lost: StoredFile[] = [];
  const onlost = (path: string, readClaim: () => Claim): void => {
    // At most as many as the archive has files, because a manifest may list far more.
    const claim = garbledSizes.size > 0 && lost.length < claims.size && readClaim();
    if (typeof claim === 'object' && garbledSizes.has(claim.size)) lost.push(claim);
    else onmissing(path);
  };
  if (manifest) {
    checkSize(manifest.size);
    const { name } = manifest;
    await readManifest(linesOf(zip, manifest, signal), claims, onlost, signal).catch(
      (error: unknown) => {
        if (!(error instanceof UnreadableManifest)) throw error;
        if (!hasNotes && !(error.isOurs && claims.size > 0)) refuse(`${name}: ${error.message}`);
        options.onunreadable(name, error.message);
      },
    );
  }
  checkSize(totalBytes);
  return { zip, claims, lost, totalBytes };
}

/** The beginning of a manifest; '' if it cannot be read. */
async function headOf(
  zip: OpenZip,
  manifest: ZipEntry,
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    for await (const chunk of readChunks(zip, manifest, signal))
      return new TextDecoder().decode(chunk.subarray(0, MAX_HEAD_BYTES));
  } catch {
    signal?.throwIfAborted();
  }
  return '';
}

const isSame = (one: ExportRoot, other: ExportRoot): boolean =>
  one.folder === other.folder && one.notes === other.notes && one.files === other.files;

async function* linesOf(
  zip: OpenZip,
  manifest: ZipEntry,
  signal: AbortSignal | undefined,
): AsyncGenerator {
  if (manifest.name.toLowerCase() === FIRST_MANIFEST_NAME)
    yield* parseFirstManifest(await readBytes(zip, manifest, MAX_FIRST_MANIFEST_BYTES, signal));
  else yield* parseLines(readChunks(zip, manifest, signal));
}

/**
 * Whether a directory without a manifest has lost entries or names. The manifest of an export is its last
 * entry, and its name also stands before its bytes.
 */
async function isDamaged(
  { bytes, directory }: OpenZip,
  entries: number,
  last: ZipEntry | undefined,
): Promise<boolean> {
  const { count } = directory;
  if (count !== ELSEWHERE_16 && count !== entries % (ELSEWHERE_16 + 1)) return true;
  if (!last || isManifestIn(last.name)) return false;
  return isManifestIn(await nameInHeader(bytes, last));
}

/** Whether it is the name of a manifest, in any folder. */
function isManifestIn(name: string): boolean {
  return isManifestName(name.slice(name.lastIndexOf('/') + 1).toLowerCase());
}

/** Whether an entry of the root is a manifest, in upper or lower case. */
export function isManifest({ name }: ZipEntry): boolean {
  return isManifestName(name.toLowerCase());
}

/** Whether the operating system (macOS or Windows) has added it to a folder or archive. */
export function isOfSystem({ name }: ZipEntry): boolean {
  return /(?:^|\/)(?:__MACOSX\/.*|\.DS_Store|\._[^/]*|Thumbs\.db|desktop\.ini)$/i.test(name);
}

/** Whether an entry is a folder, which needs no import. */
export function isFolder({ name }: ZipEntry): boolean {
  return name.endsWith('/');
}

/** The size of an entry; 0 if it cannot be imported. */
export function importableSize(entry: ZipEntry, archive: Blob): number {
  const { name, size, compressedSize, problem } = entry;
  if (problem !== undefined || compressedSize > archive.size || isFolder(entry)) return 0;
  if (name.startsWith(NOTES_FOLDER)) return size <= MAX_NOTE_ENTRY_BYTES ? size : 0;
  return name.startsWith(FILES_FOLDER) && size <= MAX_FILE_BYTES ? size : 0;
}

/** The free space that Chromium reports, to prevent fingerprinting, if there is as much or more. */
const NOT_SAID_BYTES = 10 * 1024 ** 3;

/** The size that an import may have without a question, regardless of the size of the archive. */
const SMALL_BYTES = 64 * 1024 * 1024;
/** The multiple of the archive's size that is added to it. */
const MAX_EXPANSION = 20;
/** The maximum part of the free space that an import may take without a question. */
const MAX_SHARE = 1 / 4;

/**
 * Makes a function that checks how much space an import may take. If the browser does not report the
 * free space, only the size of the archive counts.
 *
 * @throws {StoreError} The function: `quota-exceeded` if there is not enough space, `too-large` above
 *   the limit.
 */
async function sizeCheck(
  archiveBytes: number,
  maxBytes: number | undefined,
): Promise<(bytes: number) => void> {
  const { usage = Number.NaN, quota = Number.NaN } = await storageEstimate();
  // NaN if it is not known, which is neither smaller nor larger than any number.
  const freeBytes = quota - usage;
  const expansion = SMALL_BYTES + MAX_EXPANSION * archiveBytes;
  return (bytes) => {
    const text = `The archive needs ${formatMegabytes(bytes)}`;
    if (bytes > freeBytes && freeBytes !== NOT_SAID_BYTES) {
      const free = formatMegabytes(Math.max(freeBytes, 0));
      throw new StoreError(
        'quota-exceeded',
        `${text}, and only ${free} are free; nothing was written.`,
        {
          quota: { usedBytes: usage, quotaBytes: quota },
        },
      );
    }
    const isLarge =
      maxBytes === undefined
        ? bytes > expansion || bytes > freeBytes * MAX_SHARE
        : bytes > maxBytes;
    if (!isLarge) return;
    const free = freeBytes >= 0 ? ` of the ${formatMegabytes(freeBytes)} that are free` : '';
    throw new StoreError(
      'too-large',
      `${text}${free}; packed, it has ${formatMegabytes(archiveBytes)}. Nothing was written.`,
    );
  };
}

function refuse(message: string): never {
  throw new StoreError('invalid-argument', message);
}

import { MAX_ARCHIVE_ENTRIES, MAX_FILE_BYTES } from '../schema/limits.js';
import { storageEstimate } from '../errors/storage-estimate.js';
import { StoreError } from '../errors/store-error.js';
import { FILES_FOLDER, MANIFEST_NAME } from './manifest.js';
import { MAX_NOTE_ENTRY_BYTES, NOTES_FOLDER } from './note-entry.js';
import {
  type Claims,
  FIRST_MANIFEST_NAME,
  MAX_FIRST_MANIFEST_BYTES,
  parseFirstManifest,
  parseLines,
  readManifest,
} from './read-manifest.js';
import { entriesOf, type ZipEntry } from './read-zip.js';
import { InvalidEntry } from './invalid-entry.js';
import { type OpenZip, readBytes, readChunks } from './read-zip-entries.js';

/** What an import knows about an archive before it writes anything. */
export interface ArchiveScan {
  claims: Claims;
  /** The total size of the entries that may be imported. */
  totalBytes: number;
}

/**
 * Reads the whole directory and the manifest of an archive.
 *
 * @param onmissing Called with the path of each file that only the manifest contains.
 * @throws {StoreError} `invalid-argument` if it was not exported by this app; `quota-exceeded` if
 *   the browser reports less free space than needed.
 */
export async function scanArchive(
  zip: OpenZip,
  signal: AbortSignal | undefined,
  onmissing: (path: string) => void,
): Promise<ArchiveScan> {
  const claims: Claims = new Map();
  let manifest: ZipEntry | undefined;
  let firstManifest: ZipEntry | undefined;
  let entries = 0;
  let bytesInArchive = 0;
  let totalBytes = 0;
  for await (const entry of entriesOf(zip.bytes, zip.directory)) {
    signal?.throwIfAborted();
    entries += 1;
    if (entries > MAX_ARCHIVE_ENTRIES) {
      refuse(`The archive has more than ${MAX_ARCHIVE_ENTRIES} entries.`);
    }
    // An entry that claims to be larger than the archive is invalid, and is skipped later.
    if (entry.compressedSize <= zip.bytes.blob.size) bytesInArchive += entry.compressedSize;
    // Many entries that share the same bytes: a zip bomb.
    if (bytesInArchive > zip.bytes.blob.size) refuse('The entries of the archive overlap.');
    totalBytes += importableSize(entry, zip.bytes.blob);
    if (entry.name === MANIFEST_NAME) manifest ??= entry;
    if (entry.name === FIRST_MANIFEST_NAME) firstManifest ??= entry;
    const isFile = entry.name.startsWith(FILES_FOLDER) && !isFolder(entry);
    if (isFile) claims.set(entry.name.slice(FILES_FOLDER.length), undefined);
  }
  manifest ??= firstManifest;
  if (!manifest) refuse(`The archive has no ${MANIFEST_NAME}: it was not exported by this app.`);
  try {
    const lines =
      manifest === firstManifest
        ? parseFirstManifest(await readBytes(zip, manifest, MAX_FIRST_MANIFEST_BYTES, signal))
        : parseLines(readChunks(zip, manifest, signal));
    await readManifest(lines, claims, onmissing, signal);
  } catch (error) {
    if (error instanceof InvalidEntry) refuse(`${manifest.name}: ${error.message}`);
    throw error;
  }
  await checkRoom(totalBytes);
  return { claims, totalBytes };
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

/** The free space that Chromium reports if there is as much or more, to prevent fingerprinting. */
const NOT_SAID_BYTES = 10 * 1024 ** 3;

/**
 * Checks the free space. If the browser does not report it, the import is attempted.
 *
 * @throws {StoreError} `quota-exceeded` if there is not enough space.
 */
async function checkRoom(bytes: number): Promise<void> {
  const { usage, quota } = await storageEstimate();
  if (usage === undefined || quota === undefined) return;
  const freeBytes = quota - usage;
  if (bytes <= freeBytes || freeBytes === NOT_SAID_BYTES) return;
  const text = `The archive needs ${bytes} bytes, and only ${Math.max(freeBytes, 0)} are free; nothing was written.`;
  throw new StoreError('quota-exceeded', text, {
    quota: { usedBytes: usage, quotaBytes: quota },
  });
}

function refuse(message: string): never {
  throw new StoreError('invalid-argument', message);
}

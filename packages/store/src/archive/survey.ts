import { MAX_ARCHIVE_ENTRIES, MAX_FILE_BYTES } from '../schema/limits.js';
import { storageEstimate } from '../errors/storage-estimate.js';
import { StoreError } from '../errors/store-error.js';
import { type Claims, FILES_FOLDER, MANIFEST_NAME, readManifest } from './manifest.js';
import { MAX_NOTE_ENTRY_BYTES, NOTES_FOLDER } from './note-entry.js';
import { entriesOf, type ZipEntry } from './read-zip.js';
import { UnfitEntry } from './unfit-entry.js';
import { type OpenZip, readChunks } from './zip-content.js';

/** What is known of an archive before anything of it is written. */
export interface Survey {
  /** What the manifest says of the files that are in the archive. */
  claims: Claims;
  /** How many bytes all that may come in has. */
  totalBytes: number;
}

/**
 * Looks at the whole directory and the manifest of an archive.
 *
 * @param onmissing Hears of the path of each file that the manifest has and the archive has not.
 * @throws {StoreError} `invalid-argument` where it cannot be an archive of ours; `quota-exceeded`
 *   where the browser says that there is less room than it would take.
 */
export async function survey(
  zip: OpenZip,
  signal: AbortSignal | undefined,
  onmissing: (path: string) => void,
): Promise<Survey> {
  const claims: Claims = new Map();
  let manifest: ZipEntry | undefined;
  let entries = 0;
  let bytesInArchive = 0;
  let totalBytes = 0;
  for await (const entry of entriesOf(zip.bytes, zip.directory)) {
    signal?.throwIfAborted();
    entries += 1;
    if (entries > MAX_ARCHIVE_ENTRIES) {
      refuse(`The archive has more than ${MAX_ARCHIVE_ENTRIES} entries.`);
    }
    // What alone is larger than the archive is wrong by itself, and is skipped when its turn comes.
    if (entry.compressedSize <= zip.bytes.blob.size) bytesInArchive += entry.compressedSize;
    // The same bytes for many entries: a small archive that becomes an enormous one.
    if (bytesInArchive > zip.bytes.blob.size) refuse('The entries of the archive overlap.');
    totalBytes += bytesToTake(entry, zip.bytes.blob);
    if (entry.name === MANIFEST_NAME) manifest ??= entry;
    const isFile = entry.name.startsWith(FILES_FOLDER) && !isFolder(entry);
    if (isFile) claims.set(entry.name.slice(FILES_FOLDER.length), undefined);
  }
  if (!manifest) refuse(`The archive has no ${MANIFEST_NAME}: it was not exported here.`);
  try {
    await readManifest(readChunks(zip, manifest, signal), claims, onmissing);
  } catch (error) {
    if (error instanceof UnfitEntry) refuse(`${MANIFEST_NAME}: ${error.message}`);
    throw error;
  }
  await checkRoom(totalBytes);
  return { claims, totalBytes };
}

/** Whether an entry is only a folder, for which there is nothing to do. */
export function isFolder({ name }: ZipEntry): boolean {
  return name.endsWith('/');
}

/** How many bytes an entry has that may come in: 0 for one that cannot. */
export function bytesToTake(entry: ZipEntry, archive: Blob): number {
  const { name, size, compressedSize, problem } = entry;
  if (problem !== undefined || compressedSize > archive.size || isFolder(entry)) return 0;
  if (name.startsWith(NOTES_FOLDER)) return size <= MAX_NOTE_ENTRY_BYTES ? size : 0;
  return name.startsWith(FILES_FOLDER) && size <= MAX_FILE_BYTES ? size : 0;
}

/**
 * What Chromium says of any disk that has as much, to tell sites nothing of it: there may be more.
 */
const NOT_SAID_BYTES = 10 * 1024 ** 3;

/**
 * Where the browser does not say how much there is, it is tried.
 *
 * @throws {StoreError} `quota-exceeded` where so many bytes are more than there is room for.
 */
async function checkRoom(bytes: number): Promise<void> {
  const { usage, quota } = await storageEstimate();
  if (usage === undefined || quota === undefined) return;
  const freeBytes = quota - usage;
  if (bytes <= freeBytes || freeBytes === NOT_SAID_BYTES) return;
  const text = `The archive would take ${bytes} bytes, and there is room for ${Math.max(freeBytes, 0)}; nothing was written.`;
  throw new StoreError('quota-exceeded', text, {
    quota: { usedBytes: usage, quotaBytes: quota },
  });
}

function refuse(message: string): never {
  throw new StoreError('invalid-argument', message);
}

import type { Database } from './database.js';
import { readRecord } from './file-transactions.js';
import { piecesOf } from './file-uploads.js';
import type { PiecedBytes, StoredBytes, StoredFile } from './schema.js';
import { blobOf } from './stored-bytes.js';
import { entryUnreadable, readingEntry } from './unreadable-entry.js';
import { isPiecedBytes, isStoredBytes } from './valid-records.js';

/** A file and a handle on its bytes. */
export interface FileAndBytes {
  file: StoredFile;
  blob: Blob;
}

interface Records {
  get(path: string): Promise<unknown>;
}

const HANDLES: ('files' | 'file-bytes')[] = ['files', 'file-bytes'];
const HANDLES_AND_PIECES: ('files' | 'file-bytes' | 'file-pieces')[] = [...HANDLES, 'file-pieces'];

/**
 * Record and bytes of one moment, whatever their size at the cost of some handles. Rejects with
 * `not-found`, or with `unreadable` where a part is missing.
 */
export async function readFile(database: Database, path: string): Promise<FileAndBytes> {
  return await readingEntry(database, { kind: 'file', key: path }, async () => {
    // Without the pieces, so that a small file need not wait for those of others being written.
    const { file, bytes } = await database.run(HANDLES, 'readonly', (transaction) =>
      readHandle(transaction.objectStore('files'), transaction.objectStore('file-bytes'), path),
    );
    return isStoredBytes(bytes)
      ? checked(database, file, [bytes])
      : await readPieced(database, path);
  });
}

/** What is known of a file; rejects with `not-found`, or with `unreadable`. */
export async function readFileRecord(database: Database, path: string): Promise<StoredFile> {
  return await readingEntry(database, { kind: 'file', key: path }, () =>
    database.run(['files'], 'readonly', (transaction) =>
      readRecord(transaction.objectStore('files'), path),
    ),
  );
}

/** The same with the pieces: it may be another file by now. */
async function readPieced(database: Database, path: string): Promise<FileAndBytes> {
  return await database.run(HANDLES_AND_PIECES, 'readonly', async (transaction) => {
    const files = transaction.objectStore('files');
    const { file, bytes } = await readHandle(files, transaction.objectStore('file-bytes'), path);
    if (isStoredBytes(bytes)) return checked(database, file, [bytes]);
    const pieces = await transaction.objectStore('file-pieces').getAll(piecesOf(bytes.content));
    return checked(database, file, pieces.filter(isStoredBytes));
  });
}

async function readHandle(
  files: Records,
  handles: Records,
  path: string,
): Promise<{ file: StoredFile; bytes: StoredBytes | PiecedBytes }> {
  const [file, bytes] = await Promise.all([readRecord(files, path), handles.get(path)]);
  if (!isStoredBytes(bytes) && !isPiecedBytes(bytes))
    throw entryUnreadable({ kind: 'file', key: path });
  return { file, bytes };
}

function checked(
  { heldBlobs }: Database,
  file: StoredFile,
  stored: readonly StoredBytes[],
): FileAndBytes {
  const blob = blobOf(stored, file.mediaType);
  if (blob.size !== file.size) throw entryUnreadable({ kind: 'file', key: file.path });
  heldBlobs.hold(file.path, stored);
  return { file, blob };
}

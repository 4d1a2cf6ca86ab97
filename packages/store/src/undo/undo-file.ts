import type { Transaction } from '../database/begin-transaction.js';
import type { FileContent } from '../files/file-records.js';
import {
  type FILE_PARTS,
  moveFile,
  putFile,
  readRecord,
  removeFile,
} from '../files/file-transactions.js';
import type { ChangeContents, ClientChange, StoredBytes, StoredFile } from '../schema/schema.js';
import { changedSince, type Undone } from './undone.js';

type Writing = Transaction<typeof FILE_PARTS, 'readwrite'>;

/** @throws {StoreError} `conflict` or `not-found` if it cannot be undone any more. */
export async function undoFileChange(
  transaction: unknown,
  { key: path, type, from = path }: ClientChange,
  contents: ChangeContents,
): Promise<Undone> {
  const files = transaction as Writing;
  const before = contents.before as StoredFile;
  const { replaced } = contents as { replaced?: StoredFile };
  if (type === 'deleted') {
    return { ...(await putBack(files, before, contents.content!, 0)), isExact: true };
  }
  const now = await readRecord(files.objectStore('files'), path);
  // Also who has only changed the record must not lose that.
  if (now.revision !== contents.after!.revision) throw changedSince();
  if (type === 'created') return { ...(await removeFile(files, path, undefined)), isExact: true };
  // Higher than before, so that nobody takes it for what they have read.
  const revision = now.revision + 1;
  if (type === 'updated') {
    const updatedAt = Math.max(Date.now(), now.updatedAt);
    const record = { ...before, revision, updatedAt };
    return { ...(await putBack(files, record, contents.content!)), isExact: true };
  }
  const moved = await moveFile(files, path, from, {});
  if (!replaced) return { ...moved, isExact: true };
  const back = await putBack(files, { ...replaced, revision }, contents.content!, 0);
  // It was moved away and is there again.
  const changes = [...moved.changes.filter(({ key }) => key !== path), ...back.changes].map(
    (change) => (change.key === path ? { ...change, type: 'updated' as const } : change),
  );
  return { result: moved.result, changes, isExact: true };
}

/** @param expectedRevision 0 if there must be no such file. */
async function putBack(
  files: Writing,
  record: StoredFile,
  bytes: StoredBytes,
  expectedRevision?: 0,
): ReturnType<typeof putFile> {
  const { size } = record;
  const content: FileContent = { bytes, size };
  return await putFile(files, record.path, { content, expectedRevision, recordOf: () => record });
}

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
import { changedSince, same, type Undone } from './undone.js';

type Writing = Transaction<typeof FILE_PARTS, 'readwrite'>;

/**
 * Undoes the change of a file.
 *
 * @throws {StoreError} `conflict` or `not-found` if it can no longer be undone.
 */
export async function undoFileChange(
  transaction: unknown,
  { key: path, type, from = path }: ClientChange,
  contents: ChangeContents,
): Promise<Undone> {
  const files = transaction as Writing;
  const before = contents.before as StoredFile;
  const { replaced } = contents as { replaced?: StoredFile };
  if (type === 'deleted') {
    // A damaged file counts as existing, too.
    if ((await files.objectStore('files').getKey(path)) !== undefined) throw changedSince();
    const back = await putBack(files, before, contents.content!, 0);
    return { ...back, restored: [[before, back.result]] };
  }
  const now = await readRecord(files.objectStore('files'), path);
  // A later change of only the record, or another file at this path, must not be lost either.
  if (!same(now, contents.after)) throw changedSince();
  if (type === 'created') return { ...(await removeFile(files, path, undefined)), restored: [] };
  // The revision is higher than before, so that no client mistakes the file for the version that it has read.
  const revision = now.revision + 1;
  if (type === 'updated') {
    const updatedAt = Math.max(Date.now(), now.updatedAt);
    const back = await putBack(files, { ...before, revision, updatedAt }, contents.content!);
    return { ...back, restored: [[before, back.result]] };
  }
  const moved = await moveFile(files, path, from, {});
  const restored: Undone['restored'] = [[before, moved.result]];
  if (!replaced) return { ...moved, restored };
  const back = await putBack(files, { ...replaced, revision }, contents.content!, 0);
  // The path was free after the move, and has a file again, so both changes are one update.
  const changes = [...moved.changes.filter(({ key }) => key !== path), ...back.changes].map(
    (change) => (change.key === path ? { ...change, type: 'updated' as const } : change),
  );
  return { result: moved.result, changes, restored: [...restored, [replaced, back.result]] };
}

/**
 * Writes a file as it was, with a higher revision if one that no longer exists may have had this one.
 *
 * @param expectedRevision 0 if there must be no such file.
 */
async function putBack(
  files: Writing,
  record: StoredFile,
  bytes: StoredBytes,
  expectedRevision?: 0,
): ReturnType<typeof putFile> {
  const { size } = record;
  const content: FileContent = { bytes, size };
  const recordOf = (_stored: StoredFile | undefined, former: number): StoredFile =>
    former > record.revision ? { ...record, revision: former + 1 } : record;
  return await putFile(files, record.path, { content, expectedRevision, recordOf });
}

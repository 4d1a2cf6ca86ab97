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
    // Also if it is damaged.
    if ((await files.objectStore('files').getKey(path)) !== undefined) throw changedSince();
    return { ...(await putBack(files, before, contents.content!, 0)), restored: [] };
  }
  const now = await readRecord(files.objectStore('files'), path);
  // Also who has only changed the record, or has made another file here, must not lose that.
  if (!same(now, contents.after)) throw changedSince();
  if (type === 'created') return { ...(await removeFile(files, path, undefined)), restored: [] };
  // Higher than before, so that nobody takes it for what they have read.
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
  // It was moved away and is there again.
  const changes = [...moved.changes.filter(({ key }) => key !== path), ...back.changes].map(
    (change) => (change.key === path ? { ...change, type: 'updated' as const } : change),
  );
  return { result: moved.result, changes, restored: [...restored, [replaced, back.result]] };
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

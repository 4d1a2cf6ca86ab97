import { isWhereItWas, textBefore } from '../history/line-change.js';
import type { NoteUpdate } from '../notes/note-records.js';
import {
  changeNote,
  type NoteTransaction,
  readNote,
  removeNote,
  restoreNote,
} from '../notes/note-transactions.js';
import type { ChangeContents, ClientChange, NoteSummary } from '../schema/schema.js';
import { checkText } from '../schema/limits.js';
import { changedSince, same, type Undone } from './undone.js';

const FIELDS = ['title', 'tags', 'audience', 'priority'] as const;

/**
 * Undoes the change of a note.
 *
 * @throws {StoreError} `conflict` or `not-found` if it can no longer be undone.
 */
export async function undoNoteChange(
  transaction: unknown,
  { key: id, type }: ClientChange,
  contents: ChangeContents,
): Promise<Undone> {
  const notes = transaction as NoteTransaction<'readwrite'>;
  const before = contents.before as NoteSummary;
  const after = contents.after as NoteSummary;
  if (type === 'deleted') {
    return { ...(await restoreNote(notes, before, contents.text ?? '')), restored: [] };
  }
  const { summary, text } = await readNote(notes, id);
  // A comparison of revisions is not enough, because a note may come back from an archive.
  const isExact = same(summary, after);
  if (type === 'created') {
    if (!isExact) throw changedSince();
    return { ...(await removeNote(notes, id, undefined)), restored: [] };
  }
  const fields = FIELDS.filter((field) => !same(before[field], after[field]));
  const { lines } = contents;
  const isUnchanged =
    lines !== undefined &&
    summary.size === after.size &&
    summary.firstLine === after.firstLine &&
    isWhereItWas(text, lines);
  const old = lines && textBefore(text, lines, isUnchanged);
  if (lines && old === undefined) throw changedSince();
  // A field that another client has changed since stays.
  const mine = fields.filter((field) => same(summary[field], after[field]));
  if (!lines && fields.length > 0 && mine.length === 0) throw changedSince();
  const update: NoteUpdate = {
    ...(old !== undefined && { text: old }),
    ...Object.fromEntries(mine.map((field) => [field, before[field] ?? null])),
  };
  if (Object.keys(update).length === 0) {
    return { result: summary, changes: [], restored: isExact ? [[before, summary]] : [] };
  }
  if (old !== undefined) checkText(old);
  const changed = await changeNote(notes, id, undefined, update);
  return { ...changed, restored: isExact ? [[before, changed.result]] : [] };
}

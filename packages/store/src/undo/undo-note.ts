import { textBefore } from '../history/line-change.js';
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
import { changedSince, type Undone } from './undone.js';

const FIELDS = ['title', 'tags', 'audience', 'priority'] as const;

/** @throws {StoreError} `conflict` or `not-found` if it cannot be undone any more. */
export async function undoNoteChange(
  transaction: unknown,
  { key: id, type }: ClientChange,
  contents: ChangeContents,
): Promise<Undone> {
  const notes = transaction as NoteTransaction<'readwrite'>;
  const before = contents.before as NoteSummary;
  const after = contents.after as NoteSummary;
  if (type === 'deleted') {
    return { ...(await restoreNote(notes, before, contents.text ?? '')), isExact: true };
  }
  const { summary, text } = await readNote(notes, id);
  const isExact = summary.revision === after.revision;
  if (type === 'created') {
    if (!isExact) throw changedSince();
    return { ...(await removeNote(notes, id, undefined)), isExact };
  }
  const fields = FIELDS.filter((field) => !same(before[field], after[field]));
  const lines = contents.lines && textBefore(text, contents.lines, isExact);
  if (contents.lines && lines === undefined) throw changedSince();
  // A field that somebody has changed since stays.
  const mine = fields.filter((field) => same(summary[field], after[field]));
  if (!contents.lines && fields.length > 0 && mine.length === 0) throw changedSince();
  const update: NoteUpdate = {
    ...(lines !== undefined && { text: lines }),
    ...Object.fromEntries(mine.map((field) => [field, before[field] ?? null])),
  };
  if (Object.keys(update).length === 0) return { result: summary, changes: [], isExact };
  if (lines !== undefined) checkText(lines);
  return { ...(await changeNote(notes, id, undefined, update)), isExact };
}

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

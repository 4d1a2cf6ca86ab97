import { unwrap } from 'idb';
import { sameAnnotations, sameStrings } from '../records/annotations.js';
import { haveSameListing, toWellFormedNote } from '../notes/note-records.js';
import { noteChange, type NoteTransaction, NOTE_PARTS } from '../notes/note-transactions.js';
import type { NoteSummary, StoreChange } from '../schema/schema.js';
import { isNoteSummary } from '../schema/valid-records.js';
import type { Writer } from '../changes/writer.js';
import type { Outcome } from './import-report.js';
import { type ArchivedNote, copyOf } from './note-entry.js';

/** The timeout of the transaction of a batch. */
const TIMEOUT_MS = 60_000;

/** The result of the import of one note. */
interface Merged {
  /**
   * The outcome. `differs` means that the note needs a copy, which was not passed, so that nothing was
   * written.
   */
  outcome: Outcome | 'differs';
  /** The change; absent if nothing was written. */
  change?: StoreChange;
}

/**
 * Imports notes in one transaction, and in a second one those that need a copy: a transaction cannot
 * wait for the id of a copy, which is a hash.
 *
 * @param notes Notes with different ids.
 * @returns The outcomes, in any order.
 */
export async function mergeNotes(
  writer: Writer,
  notes: readonly ArchivedNote[],
  signal: AbortSignal | undefined,
): Promise<Outcome[]> {
  const outcomes = await write(writer, signal, (transaction) =>
    Promise.all(notes.map((note) => mergeNote(transaction, note))),
  );
  const differing = notes.filter((_, index) => outcomes[index] === 'differs');
  if (differing.length > 0) {
    const copies: ArchivedNote[] = [];
    for (const note of differing) copies.push(await copyOf(note));
    const others = await write(writer, signal, async (transaction) => {
      const merged: Merged[] = [];
      // One after the other: the copy of a note may have the id of another note.
      for (const [index, note] of differing.entries()) {
        merged.push(await mergeNote(transaction, note, copies[index]));
      }
      return merged;
    });
    outcomes.push(...others);
  }
  return outcomes.filter((outcome) => outcome !== 'differs');
}

async function write(
  writer: Writer,
  signal: AbortSignal | undefined,
  merge: (transaction: NoteTransaction<'readwrite'>) => Promise<Merged[]>,
): Promise<Merged['outcome'][]> {
  const { effect } = await writer.write(
    NOTE_PARTS,
    { operation: 'import', args: {} },
    { signal },
    async (transaction) => {
      const merged = await merge(transaction);
      return {
        result: null,
        outcomes: merged.map(({ outcome }) => outcome),
        changes: merged.flatMap(({ change }) => change ?? []),
      };
    },
    { timeoutMs: TIMEOUT_MS },
  );
  return effect?.outcomes ?? [];
}

/** @param copy The copy of the note, which is written if the stored note differs. */
async function mergeNote(
  transaction: NoteTransaction<'readwrite'>,
  note: ArchivedNote,
  copy?: ArchivedNote,
): Promise<Merged> {
  const { summary, text, isRevisionLost } = note;
  const summaries = transaction.objectStore('notes');
  const found: unknown = await summaries.get(summary.id);
  if (found === undefined) return put(transaction, note, 'added');
  // An unreadable note can be replaced.
  if (!isNoteSummary(found)) return put(transaction, note, 'updated');
  const revision = isRevisionLost ? found.revision : summary.revision;
  if (revision > found.revision) return put(transaction, note, 'updated', found);
  if (revision < found.revision) return { outcome: 'older' };
  const storedText: unknown = await transaction.objectStore('note-texts').get(summary.id);
  if (typeof storedText !== 'string') return put(transaction, note, 'updated', found);
  const isSame =
    text === storedText.toWellFormed() && haveSameContent(summary, toWellFormedNote(found));
  if (isSame) return { outcome: 'unchanged' };
  if (!copy) return { outcome: 'differs' };
  const merged = await mergeNote(transaction, copy);
  if (merged.outcome === 'added') return { ...merged, outcome: 'copied' };
  // The user has changed the copy of an earlier import.
  return merged.outcome === 'differs' ? { outcome: 'older' } : merged;
}

/** Whether two notes with the same text have the same content, apart from times. */
function haveSameContent(a: NoteSummary, b: NoteSummary): boolean {
  return a.title === b.title && sameStrings(a.tags, b.tags) && sameAnnotations(a, b);
}

/**
 * Writes a note. A failed request aborts the transaction.
 *
 * @param stored The readable record that is replaced, if any.
 */
function put(
  transaction: NoteTransaction<'readwrite'>,
  { summary, text }: ArchivedNote,
  outcome: Outcome,
  stored?: NoteSummary,
): Merged {
  unwrap(transaction.objectStore('notes')).put(summary);
  unwrap(transaction.objectStore('note-texts')).put(text, summary.id);
  const type = outcome === 'updated' ? 'updated' : 'created';
  const listingChanged = !stored || !haveSameListing(stored, summary);
  return { outcome, change: noteChange(summary.id, type, listingChanged) };
}

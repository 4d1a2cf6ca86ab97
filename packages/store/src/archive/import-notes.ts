import { sameAnnotations, sameStrings } from '../records/annotations.js';
import type { Database } from '../database/database.js';
import { haveSameListing, toWellFormedNote } from '../notes/note-records.js';
import { noteChange, type NoteTransaction, NOTE_PARTS } from '../notes/note-transactions.js';
import type { NoteSummary, StoreChange } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { isNoteSummary } from '../schema/valid-records.js';
import type { Writer } from '../changes/writer.js';
import type { Outcome } from './import-report.js';
import { type ArchivedNote, copyOf } from './note-entry.js';

/** How long a transaction of a batch may take. */
const TIMEOUT_MS = 60_000;

/** Copies by the id of the original note. */
type Copies = ReadonlyMap<string, ArchivedNote>;

/** What the import does with a note. */
interface Decision {
  /** `differs`: the note needs a copy that does not exist yet. */
  outcome: Outcome | 'differs';
  /** The note to write. */
  note?: ArchivedNote;
  /** The note that it replaces. */
  stored?: NoteSummary | undefined;
}

/**
 * Imports notes in one transaction, or in none if there is nothing to write. Resolves with the
 * outcome for each.
 *
 * @param notes Notes with different ids.
 */
export async function mergeNotes(
  database: Database,
  writer: Writer,
  notes: readonly ArchivedNote[],
  signal: AbortSignal | undefined,
): Promise<Outcome[]> {
  const copies = new Map<string, ArchivedNote>();
  for (;;) {
    const decisions = await database.run(
      NOTE_PARTS,
      'readonly',
      (transaction) => decide(transaction, notes, copies),
      { signal, timeoutMs: TIMEOUT_MS },
    );
    const differing = notes.filter((_, index) => decisions[index]!.outcome === 'differs');
    for (const note of differing) copies.set(note.summary.id, await copyOf(note));
    if (differing.length > 0) continue;
    const later = findDuplicates(decisions);
    if (later.size > 0) {
      return await mergeInTwoSteps(notes, later, (some) =>
        mergeNotes(database, writer, some, signal),
      );
    }
    if (decisions.every(({ note }) => note === undefined)) return decisions.map(outcomeOf);
    try {
      return await write(writer, notes, copies, signal);
    } catch (error) {
      // A note was changed between the read and the write: another copy is needed.
      if (!(error instanceof StoreError && error.code === 'conflict')) throw error;
    }
  }
}

/**
 * Which notes have the same target id as one before them: the id of a copy may equal that of
 * another note of the archive. To count one id as new twice would make the counts wrong for good.
 */
function findDuplicates(decisions: readonly Decision[]): ReadonlySet<number> {
  const written = new Set<string>();
  const later = new Set<number>();
  for (const [index, { note }] of decisions.entries()) {
    if (!note) continue;
    if (written.has(note.summary.id)) later.add(index);
    written.add(note.summary.id);
  }
  return later;
}

/** Imports the notes in `later` after all others. */
async function mergeInTwoSteps(
  notes: readonly ArchivedNote[],
  later: ReadonlySet<number>,
  merge: (notes: readonly ArchivedNote[]) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  const first = await merge(notes.filter((_, index) => !later.has(index)));
  const second = await merge(notes.filter((_, index) => later.has(index)));
  return notes.map((_, index) => (later.has(index) ? second : first).shift()!);
}

async function write(
  writer: Writer,
  notes: readonly ArchivedNote[],
  copies: Copies,
  signal: AbortSignal | undefined,
): Promise<Outcome[]> {
  const { effect } = await writer.write(
    NOTE_PARTS,
    { operation: 'import', args: {} },
    signal ? { signal } : {},
    async (transaction) => {
      const decisions = await decide(transaction, notes, copies);
      const outcomes = decisions.map(outcomeOf);
      if (findDuplicates(decisions).size > 0) throw noteConflict();
      const changes = await apply(transaction, decisions);
      return { result: null, outcomes, changes };
    },
    { timeoutMs: TIMEOUT_MS },
  );
  return effect?.outcomes ?? [];
}

/** @throws {StoreError} `conflict` if the note needs a copy that does not exist yet. */
function outcomeOf({ outcome }: Decision): Outcome {
  if (outcome === 'differs') throw noteConflict();
  return outcome;
}

function noteConflict(): StoreError {
  return new StoreError('conflict', 'The note was changed during the import.');
}

async function decide(
  transaction: NoteTransaction<IDBTransactionMode>,
  notes: readonly ArchivedNote[],
  copies: Copies,
): Promise<Decision[]> {
  const summaries = transaction.objectStore('notes');
  const texts = transaction.objectStore('note-texts');
  return await Promise.all(
    notes.map(async (note): Promise<Decision> => {
      const { summary, text } = note;
      const found = await summaries.get(summary.id);
      if (found === undefined) return { outcome: 'added', note };
      // An unreadable note can be replaced.
      if (!isNoteSummary(found)) return { outcome: 'updated', note };
      if (summary.revision > found.revision) return { outcome: 'updated', note, stored: found };
      if (summary.revision < found.revision) return { outcome: 'older' };
      const storedText = await texts.get(summary.id);
      if (typeof storedText !== 'string') return { outcome: 'updated', note, stored: found };
      const isSame =
        text === storedText.toWellFormed() && haveSameContent(summary, toWellFormedNote(found));
      if (isSame) return { outcome: 'unchanged' };
      const copy = copies.get(summary.id);
      if (!copy) return { outcome: 'differs' };
      const isThere = (await summaries.count(copy.summary.id)) > 0;
      return isThere ? { outcome: 'unchanged' } : { outcome: 'copied', note: copy };
    }),
  );
}

/** Whether two notes with the same text have the same content, apart from times. */
function haveSameContent(a: NoteSummary, b: NoteSummary): boolean {
  return a.title === b.title && sameStrings(a.tags, b.tags) && sameAnnotations(a, b);
}

async function apply(
  transaction: NoteTransaction<'readwrite'>,
  decisions: readonly Decision[],
): Promise<StoreChange[]> {
  const changes: StoreChange[] = [];
  const requests: Promise<unknown>[] = [];
  for (const { outcome, note, stored } of decisions) {
    if (!note) continue;
    const { summary, text } = note;
    requests.push(transaction.objectStore('notes').put(summary));
    requests.push(transaction.objectStore('note-texts').put(text, summary.id));
    const type = outcome === 'updated' ? 'updated' : 'created';
    changes.push(noteChange(summary.id, type, !stored || !haveSameListing(stored, summary)));
  }
  await Promise.all(requests);
  return changes;
}

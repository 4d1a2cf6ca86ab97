import { sameAnnotations, sameStrings } from '../records/annotations.js';
import type { Database } from '../database/database.js';
import { listedAlike, wellFormed } from '../notes/note-records.js';
import { noteChange, type NoteTransaction, NOTE_PARTS } from '../notes/note-transactions.js';
import type { NoteSummary, StoreChange } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { isNoteSummary } from '../schema/valid-records.js';
import type { Writer } from '../changes/writer.js';
import type { Outcome } from './import-report.js';
import { type ArchivedNote, copyOf } from './note-entry.js';

/** How long a transaction of a batch may take. */
const TIMEOUT_MS = 60_000;

/** Copies by the id of the note that they are beside. */
type Copies = ReadonlyMap<string, ArchivedNote>;

/** What is to become of a note of an archive. */
interface Verdict {
  /** `differs`: a copy is to be made, and there is none yet. */
  outcome: Outcome | 'differs';
  /** What is to be written. */
  note?: ArchivedNote;
  /** What it replaces. */
  stored?: NoteSummary | undefined;
}

/**
 * Brings notes in, in one transaction, or in none where there is nothing to write. Resolves with what
 * became of each.
 *
 * @param notes Of different ids.
 */
export async function mergeNotes(
  database: Database,
  writer: Writer,
  notes: readonly ArchivedNote[],
  signal: AbortSignal | undefined,
): Promise<Outcome[]> {
  const copies = new Map<string, ArchivedNote>();
  for (;;) {
    const verdicts = await database.run(
      NOTE_PARTS,
      'readonly',
      (transaction) => judge(transaction, notes, copies),
      { signal, timeoutMs: TIMEOUT_MS },
    );
    const differing = notes.filter((_, index) => verdicts[index]!.outcome === 'differs');
    for (const note of differing) copies.set(note.summary.id, await copyOf(note));
    if (differing.length > 0) continue;
    const later = writtenBefore(verdicts);
    if (later.size > 0) {
      return await mergeInTurn(notes, later, (some) => mergeNotes(database, writer, some, signal));
    }
    if (verdicts.every(({ note }) => note === undefined)) return verdicts.map(outcomeOf);
    try {
      return await write(writer, notes, copies, signal);
    } catch (error) {
      // Something was written between looking and writing, by which another copy is needed.
      if (!(error instanceof StoreError && error.code === 'conflict')) throw error;
    }
  }
}

/**
 * Which notes would be written where one before them is: the id of a copy may be that of another note
 * of the archive. What has been counted as new twice could never be counted right again.
 */
function writtenBefore(verdicts: readonly Verdict[]): ReadonlySet<number> {
  const written = new Set<string>();
  const later = new Set<number>();
  for (const [index, { note }] of verdicts.entries()) {
    if (!note) continue;
    if (written.has(note.summary.id)) later.add(index);
    written.add(note.summary.id);
  }
  return later;
}

/** Brings some notes in when the others are there. */
async function mergeInTurn(
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
      const verdicts = await judge(transaction, notes, copies);
      const outcomes = verdicts.map(outcomeOf);
      if (writtenBefore(verdicts).size > 0) throw changedMeanwhile();
      const changes = await apply(transaction, verdicts);
      return { result: null, outcomes, changes };
    },
    { timeoutMs: TIMEOUT_MS },
  );
  return effect?.outcomes ?? [];
}

/** @throws {StoreError} `conflict` where a copy is needed that there is not. */
function outcomeOf({ outcome }: Verdict): Outcome {
  if (outcome === 'differs') throw changedMeanwhile();
  return outcome;
}

function changedMeanwhile(): StoreError {
  return new StoreError('conflict', 'The note has changed meanwhile.');
}

async function judge(
  transaction: NoteTransaction<IDBTransactionMode>,
  notes: readonly ArchivedNote[],
  copies: Copies,
): Promise<Verdict[]> {
  const summaries = transaction.objectStore('notes');
  const texts = transaction.objectStore('note-texts');
  return await Promise.all(
    notes.map(async (note): Promise<Verdict> => {
      const { summary, text } = note;
      const found = await summaries.get(summary.id);
      if (found === undefined) return { outcome: 'added', note };
      // What cannot be read can be replaced.
      if (!isNoteSummary(found)) return { outcome: 'updated', note };
      if (summary.revision > found.revision) return { outcome: 'updated', note, stored: found };
      if (summary.revision < found.revision) return { outcome: 'older' };
      const storedText = await texts.get(summary.id);
      if (typeof storedText !== 'string') return { outcome: 'updated', note, stored: found };
      const isSame = text === storedText.toWellFormed() && saySame(summary, wellFormed(found));
      if (isSame) return { outcome: 'unchanged' };
      const copy = copies.get(summary.id);
      if (!copy) return { outcome: 'differs' };
      const isThere = (await summaries.count(copy.summary.id)) > 0;
      return isThere ? { outcome: 'unchanged' } : { outcome: 'copied', note: copy };
    }),
  );
}

/** Whether two notes of the same text say the same; when they did is not what they say. */
function saySame(a: NoteSummary, b: NoteSummary): boolean {
  return a.title === b.title && sameStrings(a.tags, b.tags) && sameAnnotations(a, b);
}

async function apply(
  transaction: NoteTransaction<'readwrite'>,
  verdicts: readonly Verdict[],
): Promise<StoreChange[]> {
  const changes: StoreChange[] = [];
  const requests: Promise<unknown>[] = [];
  for (const { outcome, note, stored } of verdicts) {
    if (!note) continue;
    const { summary, text } = note;
    requests.push(transaction.objectStore('notes').put(summary));
    requests.push(transaction.objectStore('note-texts').put(text, summary.id));
    const type = outcome === 'updated' ? 'updated' : 'created';
    changes.push(noteChange(summary.id, type, !stored || !listedAlike(stored, summary)));
  }
  await Promise.all(requests);
  return changes;
}

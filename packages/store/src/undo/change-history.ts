import type { Transaction } from '../database/begin-transaction.js';
import type { Database } from '../database/database.js';
import { callSafely } from '../errors/call-safely.js';
import { StoreError } from '../errors/store-error.js';
import { FILE_PARTS } from '../files/file-transactions.js';
import { HISTORY } from '../history/record-change.js';
import { isClientChange, isContentsOf } from '../history/valid-changes.js';
import { NOTE_PARTS } from '../notes/note-transactions.js';
import type { ChangeContents, ClientChange, NoteSummary, StoredFile } from '../schema/schema.js';
import type { Writer } from '../changes/writer.js';
import { changedSince, same, type Undone } from './undone.js';
import { undoFileChange } from './undo-file.js';
import { undoNoteChange } from './undo-note.js';

/** A change in the list of changes. */
export interface ListedChange extends ClientChange {
  /** Identifies it; later changes have higher numbers. */
  number: number;
  /** Whether the change can be undone, because the data for this is kept. */
  isRevertible: boolean;
}

type Reverting = Transaction<typeof HISTORY, 'readwrite'>;

/** The changes of clients: see docs/decisions/0065. */
export class ChangeHistory {
  readonly #database: Database;
  readonly #writer: Writer;
  readonly #listeners = new Set<() => void>();

  /** @param writer A writer that writes as the page itself. */
  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  /** All changes that are kept, the newest first. */
  async list(): Promise<ListedChange[]> {
    return await this.#database.run(HISTORY, 'readonly', async (transaction) => {
      const history = transaction.objectStore('history');
      const [numbers, changes, revertible]: [number[], unknown[], number[]] = await Promise.all([
        history.getAllKeys(),
        history.getAll(),
        transaction.objectStore('history-contents').getAllKeys(),
      ]);
      const isRevertible = new Set(revertible);
      return numbers
        .flatMap((number, index) => {
          const change = changes[index];
          if (!isClientChange(change)) return [];
          return [{ ...change, number, isRevertible: isRevertible.has(number) }];
        })
        .toReversed();
    });
  }

  /**
   * Undoes a change, once, as a write of the page's own. Changes that others have made in other lines since
   * stay.
   *
   * @throws {StoreError} `conflict` if its lines were changed since, or the entry is gone, is another one, or
   *   exists again; then nothing is written. `invalid-argument` unless it is a number, and `not-found` if the
   *   change was undone, or the data that undoes it is not kept.
   */
  async revert(number: number): Promise<void> {
    if (!Number.isSafeInteger(number))
      throw new StoreError('invalid-argument', 'The number of a change must be a whole number.');
    const call = { operation: 'history.revert', args: {} };
    await this.#writer.write([...NOTE_PARTS, ...FILE_PARTS, ...HISTORY], call, {}, (transaction) =>
      revertIn(transaction as unknown as Reverting, number),
    );
    for (const listener of this.#listeners) callSafely(listener);
  }

  /** Calls the listener after each change that was undone here. Returns a function that stops this. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

async function revertIn(transaction: Reverting, number: number): Promise<Undone> {
  const history = transaction.objectStore('history');
  const allContents = transaction.objectStore('history-contents');
  const [change, contents]: unknown[] = await Promise.all([
    history.get(number),
    allContents.get(number),
  ]);
  if (!isClientChange(change) || !isContentsOf(contents, change)) {
    throw new StoreError('not-found', 'What it takes to undo this change is not kept.');
  }
  const undo = change.kind === 'note' ? undoNoteChange : undoFileChange;
  const undone = await undo(transaction, change, contents).catch((error: unknown) => {
    const isGone = error instanceof StoreError && ['not-found', 'conflict'].includes(error.code);
    throw isGone ? changedSince(error) : error;
  });
  await history.put({ ...change, bytes: 0, isReverted: true }, number);
  await allContents.delete(number);
  for (const [was, is] of undone.restored) await leadBack(transaction, number, was, is);
  return undone;
}

/**
 * Updates an earlier change whose result the entry has again, although with another revision. That change can
 * then be undone as if no later change had happened.
 */
async function leadBack(
  transaction: Reverting,
  number: number,
  was: object,
  is: NoteSummary | StoredFile,
): Promise<void> {
  const allContents = transaction.objectStore('history-contents');
  let cursor = await allContents.openCursor(IDBKeyRange.upperBound(number, true), 'prev');
  for (; cursor; cursor = await cursor.continue()) {
    const contents: unknown = cursor.value;
    const after = (contents as Partial<ChangeContents> | null)?.after;
    if (!after || !same(after, was)) continue;
    await cursor.update({ ...cursor.value, after: is });
    return;
  }
}

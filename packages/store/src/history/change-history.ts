import type { Database } from '../database/database.js';
import type { ChangeContents, ClientChange } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { isStoredBytes } from '../schema/valid-records.js';
import { HISTORY } from './record-change.js';

/** A change in the list of changes. */
export interface ListedChange extends ClientChange {
  /** Identifies it; later changes have higher numbers. */
  number: number;
  /** Whether what undoes it is kept. */
  isRevertible: boolean;
}

/** A change with what undoes it. Bytes are a Blob. */
export interface WholeChange {
  /** The change. */
  change: ClientChange;
  /** What it takes to undo it. */
  contents: Omit<ChangeContents, 'content'> & { content?: Blob };
}

/** What clients have changed. */
export class ChangeHistory {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
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

  /** Reads a change and what undoes it. Rejects with `not-found` if that is not kept, or not any more. */
  async read(number: number): Promise<WholeChange> {
    return await this.#database.run(HISTORY, 'readonly', async (transaction) => {
      const [change, stored]: [unknown, ChangeContents | undefined] = await Promise.all([
        transaction.objectStore('history').get(number),
        transaction.objectStore('history-contents').get(number),
      ]);
      if (!isClientChange(change) || !stored) {
        throw new StoreError('not-found', 'What it takes to undo this change is not kept.');
      }
      const { content, ...contents } = stored;
      if (!isStoredBytes(content)) return { change, contents };
      return { change, contents: { ...contents, content: new Blob([content]) } };
    });
  }

  /** Notes that a change was undone: it cannot be undone again. Does nothing if there is no such change. */
  async settle(number: number): Promise<void> {
    await this.#database.run(HISTORY, 'readwrite', async (transaction) => {
      const history = transaction.objectStore('history');
      const change: unknown = await history.get(number);
      if (!isClientChange(change)) return;
      await history.put({ ...change, bytes: 0, isReverted: true }, number);
      await transaction.objectStore('history-contents').delete(number);
    });
  }
}

const KINDS: readonly unknown[] = ['note', 'file'];
const TYPES: readonly unknown[] = ['created', 'updated', 'deleted', 'moved'];

function isClientChange(value: unknown): value is ClientChange {
  if (typeof value !== 'object' || value === null) return false;
  const change = value as { [name in keyof ClientChange]?: unknown };
  return (
    [change.run, change.name, change.key, change.title].every((text) => typeof text === 'string') &&
    [change.at, change.connection, change.bytes].every(Number.isFinite) &&
    KINDS.includes(change.kind) &&
    TYPES.includes(change.type)
  );
}

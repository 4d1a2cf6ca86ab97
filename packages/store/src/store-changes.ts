import { hasNote, hasPath, type StoreScope } from './store-scope.js';

/** One committed change, seen from outside: which entry, and what became of it. */
export interface StoreChange {
  kind: 'note' | 'file';
  /** The note's id or the file's path. */
  key: string;
  type: 'created' | 'updated' | 'deleted';
  /**
   * Whether what a list shows besides size, time and revision is another now: the title, tags or
   * first line of a note, the media type of a file, audience or priority of either.
   */
  listingChanged: boolean;
}

/** Hears the changes of one or more transactions, in the order of their commits. */
export type StoreChangeListener = (changes: readonly StoreChange[]) => void;

/**
 * Tells every listener, here and in the other tabs of this origin, what was committed.
 *
 * Announce only after the transaction's `complete`: a listener that reads at once must see it.
 * A tab that is frozen or cached hears nothing meanwhile.
 */
export class StoreChanges {
  readonly #channel: BroadcastChannel;
  readonly #listeners = new Set<StoreChangeListener>();
  #closed = false;

  /** @param databaseName Tabs with the same database share a channel. */
  constructor(databaseName: string) {
    this.#channel = new BroadcastChannel(`inpage-mcp:${databaseName}`);
    this.#channel.addEventListener('message', this.#receive);
  }

  /** Calls the listener with every later change. Returns what stops that. */
  listen(listener: StoreChangeListener): () => void {
    // A wrapper, so that the same function can listen twice and stop once.
    const entry: StoreChangeListener = (changes) => listener(changes);
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  /** The changes of what is in a scope. */
  within(scope: () => StoreScope): Pick<StoreChanges, 'listen'> {
    const listen = (listener: StoreChangeListener): (() => void) =>
      this.listen((changes) => {
        const own = changes.filter(({ kind, key }) =>
          kind === 'note' ? hasNote(scope(), key) : hasPath(scope(), key),
        );
        if (own.length > 0) listener(own);
      });
    return { listen };
  }

  /** Tells this tab's listeners now and the other tabs' soon. */
  announce(changes: readonly StoreChange[]): void {
    // A write that was under way at `close` has still been committed.
    if (this.#closed) return;
    this.#channel.postMessage(changes);
    this.#emit(changes);
  }

  /** Stops hearing and telling. */
  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    this.#channel.close();
  }

  readonly #receive = (event: MessageEvent<unknown>): void => {
    // Any script of the origin can post here, an older version of this one too.
    if (Array.isArray(event.data) && event.data.every(isStoreChange)) this.#emit(event.data);
  };

  #emit(changes: readonly StoreChange[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(changes);
      } catch (error) {
        // One broken listener must not keep the others from hearing.
        reportError(error);
      }
    }
  }
}

const TYPES: readonly unknown[] = ['created', 'updated', 'deleted'];

function isStoreChange(value: unknown): value is StoreChange {
  if (typeof value !== 'object' || value === null) return false;
  const change = value as { [key in keyof StoreChange]?: unknown };
  return (
    (change.kind === 'note' || change.kind === 'file') &&
    typeof change.key === 'string' &&
    TYPES.includes(change.type) &&
    typeof change.listingChanged === 'boolean'
  );
}

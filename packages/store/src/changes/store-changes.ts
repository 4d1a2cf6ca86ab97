import { callSafely } from '../errors/call-safely.js';
import type { Missed } from './journal.js';
import type { Head, StoreChange } from '../schema/schema.js';
import { isHead } from '../database/storage-loss.js';
import { hasNote, hasPath, type ChangeAuthor, type StoreScope } from './store-scope.js';

/** Whether a change affects a list, apart from sizes, times and revisions. */
export function affectsList({ type, listingChanged }: StoreChange): boolean {
  return type !== 'updated' || listingChanged;
}

/** The change to announce if the separate changes are not known. */
export const EVERYTHING_CHANGED: StoreChange = {
  kind: 'everything',
  key: '',
  type: 'updated',
  listingChanged: true,
};

/** The author of changes that another tab has made. */
const OTHER_TAB: ChangeAuthor = { from: 'tab' };

/** The author of changes that another device has made. */
const OTHER_DEVICE: ChangeAuthor = { from: 'device' };

/**
 * Receives the changes of one or more transactions. The changes of one tab come in commit order.
 *
 * @param author The author of the changes; `{ from: 'tab' }` for another tab, `{ from: 'device' }` for
 *   another device; `undefined` if they have no author, for example because the database is another one.
 */
export type StoreChangeListener = (
  changes: readonly StoreChange[],
  author: ChangeAuthor | undefined,
) => void;

/**
 * The minimum interval between two reads of the log for announcements of other tabs, in milliseconds. A tab
 * that writes without a pause then costs the other tabs only a few reads per second.
 */
const READ_INTERVAL_MS = 50;

/** The delay before a failed read of the log is retried, in milliseconds. */
const RETRY_MS = 1_000;

/** The message to the other tabs that the database has reached this head. */
interface Announcement {
  head: Head;
}

/**
 * Notifies all listeners, here and in the other tabs of this origin, of committed changes.
 *
 * Announce only after the transaction's `complete`: a listener that reads at once must see the change.
 * An announcement to the other tabs is only a hint. They read the changes from the log of the database:
 * any script of the origin can post an announcement, and a tab that was frozen or cached has missed
 * some.
 */
export class StoreChanges {
  readonly #channel: BroadcastChannel;
  readonly #readMissed: (after: number) => Promise<Missed>;
  readonly #listeners = new Set<StoreChangeListener>();
  readonly #headListeners = new Set<(head: Head, isOpened: boolean) => void>();
  /** The head up to whose sequence number the listeners know all transactions. */
  #head: Head | undefined;
  /** The later transactions of this tab that the listeners already know, while earlier ones are read. */
  readonly #ahead = new Set<number>();
  #lastCatchUp = Promise.resolve();
  /** The catch-up that begins after `#lastCatchUp`. */
  #nextCatchUp: Promise<void> | undefined;
  #readAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /**
   * @param databaseName Tabs with the same database share a channel.
   * @param readMissed Reads the transactions after a sequence number.
   */
  constructor(databaseName: string, readMissed: (after: number) => Promise<Missed>) {
    this.#readMissed = readMissed;
    this.#channel = new BroadcastChannel(`inpage-mcp:${databaseName}`);
    this.#channel.addEventListener('message', this.#receive);
  }

  /** The head of the database, as far as this tab knows. */
  get head(): Head | undefined {
    return this.#head;
  }

  /** Calls the listener with every later change. Returns a function that stops this. */
  listen(listener: StoreChangeListener): () => void {
    // A wrapper, so that the same function can listen twice and stop once.
    const entry: StoreChangeListener = (...args) => listener(...args);
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  /**
   * Calls the listener with the head of the database, after each known change and when another database
   * was opened. Returns a function that stops this.
   */
  listenToHead(listener: (head: Head, isOpened: boolean) => void): () => void {
    this.#headListeners.add(listener);
    return () => this.#headListeners.delete(listener);
  }

  /** The changes of the notes and files in a scope. */
  within(scope: () => StoreScope): Pick<StoreChanges, 'listen'> {
    const listen = (listener: StoreChangeListener): (() => void) =>
      this.listen((changes, author) => {
        const own = changes.filter((change) => isWithin(scope(), change));
        if (own.length > 0) listener(own, author);
      });
    return { listen };
  }

  /**
   * Call it when the database was opened, for the first time or again.
   *
   * @param isAnother Whether its contents may differ from those before.
   */
  startAt(head: Head, isAnother: boolean): void {
    if (this.#closed) return;
    if (this.#head && !isAnother) {
      if (head.sequence > this.#head.sequence) void this.catchUp();
      return;
    }
    this.#ahead.clear();
    this.#setHead(head, true);
    if (isAnother) this.#emit([EVERYTHING_CHANGED]);
  }

  /**
   * Notifies this tab's listeners of a transaction of this tab at once, and the other tabs soon.
   *
   * @param author See {@link StoreChangeListener}.
   */
  announce(head: Head, changes: readonly StoreChange[], author: ChangeAuthor): void {
    // A write that was running at `close` still commits.
    if (this.#closed || !this.#head) return;
    this.#channel.postMessage({ head } satisfies Announcement);
    // The log was read after the commit.
    if (head.sequence <= this.#head.sequence) return;
    if (head.sequence === this.#head.sequence + 1) {
      this.#setHead(head, false);
    } else {
      this.#ahead.add(head.sequence);
      void this.catchUp();
    }
    this.#emit(changes, author);
  }

  /** Notifies only this tab's listeners. */
  notify(changes: readonly StoreChange[]): void {
    if (!this.#closed) this.#emit(changes);
  }

  /**
   * Calls the listeners with changes that were committed before this call and that they do not know,
   * for example because this tab was frozen. Never rejects: if the log cannot be read, it is read
   * again a second later.
   */
  catchUp(): Promise<void> {
    // A call that is running may have read the log already.
    this.#nextCatchUp ??= this.#lastCatchUp.then(() => {
      this.#nextCatchUp = undefined;
      this.#lastCatchUp = this.#catchUp();
      return this.#lastCatchUp;
    });
    return this.#nextCatchUp;
  }

  /** Stops receiving and sending announcements. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#listeners.clear();
    this.#headListeners.clear();
    this.#channel.close();
  }

  readonly #receive = ({ data }: MessageEvent<unknown>): void => {
    // Any script of the origin can send messages on this channel.
    if (!isAnnouncement(data) || !this.#head) return;
    const { id, sequence } = this.#head;
    // The id is another one if this tab still has a database that was deleted.
    if (data.head.id === id && data.head.sequence <= sequence) return;
    this.#catchUpIn(this.#readAt + READ_INTERVAL_MS - performance.now());
  };

  #catchUpIn(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.catchUp();
    }, delayMs);
  }

  async #catchUp(): Promise<void> {
    if (this.#closed || !this.#head) return;
    this.#readAt = performance.now();
    const missed = await this.#readMissed(this.#head.sequence).catch(() => undefined);
    if (this.#closed) return;
    if (!missed) {
      this.#catchUpIn(RETRY_MS);
      return;
    }
    const { head, transactions } = missed;
    const known = this.#head;
    // Another database: the open has already called `startAt` for it.
    if (head.id !== known.id || head.sequence <= known.sequence) return;
    this.#setHead(head, false);
    if (transactions === 'everything') this.#emit([EVERYTHING_CHANGED], OTHER_TAB);
    else {
      for (const { sequence, changes } of transactions) {
        // This tab may have committed it while the log was read.
        if (sequence <= known.sequence || this.#ahead.has(sequence)) continue;
        const announced = changes === 'everything' ? [EVERYTHING_CHANGED] : changes;
        this.#emit(announced, announced[0]?.origin ? OTHER_DEVICE : OTHER_TAB);
      }
    }
    for (const sequence of this.#ahead) if (sequence <= head.sequence) this.#ahead.delete(sequence);
  }

  #setHead(head: Head, isOpened: boolean): void {
    this.#head = head;
    for (const listener of this.#headListeners) callSafely(() => listener(head, isOpened));
  }

  #emit(changes: readonly StoreChange[], author?: ChangeAuthor): void {
    if (changes.length === 0) return;
    for (const listener of this.#listeners) callSafely(() => listener(changes, author));
  }
}

function isWithin(scope: StoreScope, { kind, key }: StoreChange): boolean {
  if (kind === 'everything') return true;
  return kind === 'note' ? hasNote(scope, key) : hasPath(scope, key);
}

function isAnnouncement(value: unknown): value is Announcement {
  return typeof value === 'object' && value !== null && 'head' in value && isHead(value.head);
}

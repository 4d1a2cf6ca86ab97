import { callSafely } from '../errors/call-safely.js';
import { DeliveredChanges, type LoggedTransactions } from './delivered-changes.js';
import type { Head, StoreChange } from '../schema/schema.js';
import { isHead } from '../database/storage-loss.js';
import { hasNote, hasPath, type StoreScope } from './store-scope.js';

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

/**
 * Receives the changes of one or more transactions. Those of one tab come in commit order.
 */
export type StoreChangeListener = (changes: readonly StoreChange[]) => void;

/** The transactions after a sequence number. */
export interface Missed {
  head: Head;
  transactions: LoggedTransactions;
}

/**
 * How long after an announcement of another tab it is compared with the log: announcements may arrive
 * out of order, and several are compared together.
 */
const CHECK_DELAY_MS = 200;

/** With more announcements than this they are compared at once: the log keeps not many more. */
const MAX_UNCHECKED = 500;

/** The message to the other tabs. */
interface Announcement {
  head: Head;
  changes: readonly StoreChange[];
}

/**
 * Notifies all listeners, here and in the other tabs of this origin, of committed changes.
 *
 * Announce only after the transaction's `complete`: a listener that reads at once must see the change.
 * Each transaction has a number, so that a tab that was frozen or cached knows what it has missed.
 */
export class StoreChanges {
  readonly #channel: BroadcastChannel;
  readonly #readMissed: (after: number) => Promise<Missed>;
  readonly #listeners = new Set<StoreChangeListener>();
  readonly #headListeners = new Set<(head: Head, isOpened: boolean) => void>();
  readonly #delivered = new DeliveredChanges();
  #head: Head | undefined;
  /** The last announced head; earlier announcements may be missing. */
  #announced: Head | undefined;
  #lastCatchUp = Promise.resolve();
  /** Begins after `#lastCatchUp`. */
  #nextCatchUp: Promise<void> | undefined;
  #checkTimer: ReturnType<typeof setTimeout> | undefined;
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
    const entry: StoreChangeListener = (changes) => listener(changes);
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
      this.listen((changes) => {
        const own = changes.filter((change) => isWithin(scope(), change));
        if (own.length > 0) listener(own);
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
      if (head.sequence > this.#delivered.checked) void this.catchUp();
      return;
    }
    this.#delivered.startAt(head.sequence);
    this.#announced = undefined;
    this.#setHead(head, true);
    if (isAnother) this.#emit([EVERYTHING_CHANGED]);
  }

  /** Notifies this tab's listeners at once, and those of other tabs soon. */
  announce(head: Head, changes: readonly StoreChange[]): void {
    // A write that was running at `close` still commits.
    if (this.#closed) return;
    this.#channel.postMessage({ head, changes } satisfies Announcement);
    this.#deliver({ head, changes }, true);
  }

  /** Notifies only this tab's listeners. */
  tell(changes: readonly StoreChange[]): void {
    if (!this.#closed) this.#emit(changes);
  }

  /**
   * Calls the listeners with changes that were committed before this call and not announced to this
   * tab, for example while it was frozen. Never rejects: if the log cannot be read, the next call
   * retries.
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
    clearTimeout(this.#checkTimer);
    this.#listeners.clear();
    this.#headListeners.clear();
    this.#channel.close();
  }

  readonly #receive = (event: MessageEvent<unknown>): void => {
    // Any script of the origin can send messages on this channel.
    if (isAnnouncement(event.data)) this.#deliver(event.data, false);
  };

  #deliver({ head, changes }: Announcement, isOwn: boolean): void {
    if (this.#head && head.id !== this.#head.id) {
      // A newer database or an older one: the log shows which.
      void this.catchUp();
      if (!isOwn) return;
    }
    // Before the open, the id of the database is unknown.
    if (!this.#head || !this.#delivered.add(head.sequence, changes, isOwn)) return;
    const announced = this.#announced?.sequence ?? 0;
    if (head.sequence > announced || (isOwn && head.sequence === announced)) this.#announced = head;
    // After a gap, the announcement may be forged.
    if (this.#announced && !this.#delivered.hasGap) this.#advanceTo(this.#announced, isOwn);
    this.#emit(changes);
    this.#checkSoon();
  }

  #advanceTo(announced: Head, isOwn: boolean): void {
    const { sequence } = this.#head!;
    // A transaction of this tab replaces a forged one with the same number.
    const isNext = isOwn ? announced.sequence >= sequence : announced.sequence > sequence;
    if (isNext) this.#setHead(announced, false);
  }

  #checkSoon(): void {
    const { length } = this.#delivered.unchecked;
    if (length > MAX_UNCHECKED) void this.catchUp();
    if (length > 0) this.#checkTimer ??= setTimeout(() => this.#check(), CHECK_DELAY_MS);
  }

  #check(): void {
    this.#checkTimer = undefined;
    if (this.#delivered.unchecked.length > 0) void this.catchUp();
  }

  async #catchUp(): Promise<void> {
    if (this.#closed) return;
    const earlier = this.#delivered.unchecked;
    const announced = this.#announced;
    const missed = await this.#readMissed(this.#delivered.checked).catch(() => undefined);
    if (!missed || this.#closed) return;
    const { head, transactions } = missed;
    // Another database: the open has already called `startAt` for it.
    if (head.id !== this.#head?.id) return;
    // An announcement from before the read of the log may be forged.
    const isLater =
      this.#announced !== announced && (this.#announced?.sequence ?? 0) > head.sequence;
    if (!isLater) this.#announced = undefined;
    const isNews = isLater ? head.sequence > this.#head.sequence : !isSame(head, this.#head);
    if (isNews) this.#setHead(head, false);
    for (const changes of this.#delivered.check(head.sequence, transactions, earlier)) {
      this.#emit(changes === 'everything' ? [EVERYTHING_CHANGED] : changes);
    }
    this.#checkSoon();
  }

  #setHead(head: Head, isOpened: boolean): void {
    this.#head = head;
    for (const listener of this.#headListeners) callSafely(() => listener(head, isOpened));
  }

  #emit(changes: readonly StoreChange[]): void {
    if (changes.length === 0) return;
    for (const listener of this.#listeners) callSafely(() => listener(changes));
  }
}

function isWithin(scope: StoreScope, { kind, key }: StoreChange): boolean {
  if (kind === 'everything') return true;
  return kind === 'note' ? hasNote(scope, key) : hasPath(scope, key);
}

function isSame(one: Head, other: Head): boolean {
  return one.sequence === other.sequence && one.notes === other.notes && one.files === other.files;
}

const KINDS: readonly unknown[] = ['note', 'file', 'everything'];
const TYPES: readonly unknown[] = ['created', 'updated', 'deleted'];

function isAnnouncement(value: unknown): value is Announcement {
  if (typeof value !== 'object' || value === null) return false;
  const { head, changes } = value as { [key in keyof Announcement]?: unknown };
  return isHead(head) && Array.isArray(changes) && changes.every(isStoreChange);
}

/** Whether a value is a change. It may come from another script of the origin, or be damaged. */
export function isStoreChange(value: unknown): value is StoreChange {
  if (typeof value !== 'object' || value === null) return false;
  const change = value as { [key in keyof StoreChange]?: unknown };
  return (
    KINDS.includes(change.kind) &&
    typeof change.key === 'string' &&
    TYPES.includes(change.type) &&
    typeof change.listingChanged === 'boolean'
  );
}

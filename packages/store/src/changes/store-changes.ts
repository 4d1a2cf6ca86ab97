import { callSafely } from '../errors/call-safely.js';
import { DeliveredChanges, type LoggedTransactions } from './delivered-changes.js';
import type { Head, StoreChange } from '../schema/schema.js';
import { isHead } from '../database/storage-loss.js';
import { hasNote, hasPath, type StoreScope } from './store-scope.js';

/** Whether a list is another after a change, apart from sizes, times and revisions. */
export function isListed({ type, listingChanged }: StoreChange): boolean {
  return type !== 'updated' || listingChanged;
}

/** What there is to say when it cannot be told one by one. */
export const EVERYTHING_CHANGED: StoreChange = {
  kind: 'everything',
  key: '',
  type: 'updated',
  listingChanged: true,
};

/**
 * Hears the changes of one or more transactions. Those of one tab come in the order of their commits.
 */
export type StoreChangeListener = (changes: readonly StoreChange[]) => void;

/** What was committed after a sequence number. */
export interface Missed {
  head: Head;
  transactions: LoggedTransactions;
}

/**
 * When the announcements of other tabs are compared with the log: one may be later than those of the
 * transactions after it, and what comes together is compared together.
 */
const CHECK_DELAY_MS = 200;

/** So many are compared at once: the log does not reach much farther back. */
const MAX_UNCHECKED = 500;

/** What goes to the other tabs. */
interface Announcement {
  head: Head;
  changes: readonly StoreChange[];
}

/**
 * Tells every listener, here and in the other tabs of this origin, what was committed.
 *
 * Announce only after the transaction's `complete`: a listener that reads at once must see it. Each
 * transaction has a number, so that a tab that was frozen or cached knows what it has missed.
 */
export class StoreChanges {
  readonly #channel: BroadcastChannel;
  readonly #readMissed: (after: number) => Promise<Missed>;
  readonly #listeners = new Set<StoreChangeListener>();
  readonly #headListeners = new Set<(head: Head, isOpened: boolean) => void>();
  readonly #delivered = new DeliveredChanges();
  #head: Head | undefined;
  /** The last that was announced, perhaps with others before it missing. */
  #announced: Head | undefined;
  #lastCatchUp = Promise.resolve();
  /** Has not begun. */
  #nextCatchUp: Promise<void> | undefined;
  #checkTimer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /**
   * @param databaseName Tabs with the same database share a channel.
   * @param readMissed Reads what was committed after a sequence number.
   */
  constructor(databaseName: string, readMissed: (after: number) => Promise<Missed>) {
    this.#readMissed = readMissed;
    this.#channel = new BroadcastChannel(`inpage-mcp:${databaseName}`);
    this.#channel.addEventListener('message', this.#receive);
  }

  /** Where the database stands, as far as this tab knows. */
  get head(): Head | undefined {
    return this.#head;
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

  /**
   * Calls the listener with where the database stands, after each change that is known of, and when
   * another database was opened. Returns what stops that.
   */
  listenToHead(listener: (head: Head, isOpened: boolean) => void): () => void {
    this.#headListeners.add(listener);
    return () => this.#headListeners.delete(listener);
  }

  /** The changes of what is in a scope. */
  within(scope: () => StoreScope): Pick<StoreChanges, 'listen'> {
    const listen = (listener: StoreChangeListener): (() => void) =>
      this.listen((changes) => {
        const own = changes.filter((change) => isWithin(scope(), change));
        if (own.length > 0) listener(own);
      });
    return { listen };
  }

  /**
   * Begins to count with a database that was opened, again or for the first time.
   *
   * @param isAnother Whether it may hold anything else than before.
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

  /** Tells this tab's listeners now and the other tabs' soon. */
  announce(head: Head, changes: readonly StoreChange[]): void {
    // A write that was under way at `close` has still been committed.
    if (this.#closed) return;
    this.#channel.postMessage({ head, changes } satisfies Announcement);
    this.#take({ head, changes }, true);
  }

  /** Tells this tab's listeners what only this tab has noticed. */
  tell(changes: readonly StoreChange[]): void {
    if (!this.#closed) this.#emit(changes);
  }

  /**
   * Calls the listeners with what was committed before this call and not announced to this tab, as
   * while it was frozen. Never rejects: what cannot be read now comes with the next call.
   */
  catchUp(): Promise<void> {
    // One that is under way may have read the log already.
    this.#nextCatchUp ??= this.#lastCatchUp.then(() => {
      this.#nextCatchUp = undefined;
      this.#lastCatchUp = this.#catchUp();
      return this.#lastCatchUp;
    });
    return this.#nextCatchUp;
  }

  /** Stops hearing and telling. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#checkTimer);
    this.#listeners.clear();
    this.#headListeners.clear();
    this.#channel.close();
  }

  readonly #receive = (event: MessageEvent<unknown>): void => {
    // Any script of the origin can post here.
    if (isAnnouncement(event.data)) this.#take(event.data, false);
  };

  #take({ head, changes }: Announcement, isOwn: boolean): void {
    if (this.#head && head.id !== this.#head.id) {
      // Of a database that took the place of this one, or of the one before: look which.
      void this.catchUp();
      if (!isOwn) return;
    }
    // Before the database was opened here it is not known which one it is.
    if (!this.#head || !this.#delivered.add(head.sequence, changes, isOwn)) return;
    const announced = this.#announced?.sequence ?? 0;
    if (head.sequence > announced || (isOwn && head.sequence === announced)) this.#announced = head;
    // With a gap before it, it may be what a stranger has made up.
    if (this.#announced && !this.#delivered.hasGap) this.#moveTo(this.#announced, isOwn);
    this.#emit(changes);
    this.#checkSoon();
  }

  #moveTo(announced: Head, isOwn: boolean): void {
    const { sequence } = this.#head!;
    // What a stranger has made up under the number of an own transaction gives way to that.
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
    // Another database: whoever opened the connection to it has said so.
    if (head.id !== this.#head?.id) return;
    // What was announced before the log was read, a stranger may have made up.
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

/** Whether something is a change: it may come from another script of the origin, or be damaged. */
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

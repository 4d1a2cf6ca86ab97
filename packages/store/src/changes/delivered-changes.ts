import type { LoggedChanges, StoreChange } from '../schema/schema.js';

/** The most changes of one transaction that are logged separately. */
const MAX_LOGGED_CHANGES = 100;

/** The log entry for the changes of one transaction. */
export function toLogEntry(changes: readonly StoreChange[]): LoggedChanges {
  const isMuch =
    changes.length > MAX_LOGGED_CHANGES || changes.some(({ kind }) => kind === 'everything');
  return isMuch ? 'everything' : [...changes];
}

/** The transactions after a sequence number; `everything` if they are not known separately. */
export type LoggedTransactions = { sequence: number; changes: LoggedChanges }[] | 'everything';

/** The changes of one transaction as they were delivered. */
interface Delivery {
  logged: LoggedChanges;
  /** Whether this tab has committed them: then they cannot be forged. */
  isOwn: boolean;
}

/**
 * Tracks which transactions were delivered to the listeners of this tab, in any order, and which of
 * them still have to be compared with the log of the database.
 */
export class DeliveredChanges {
  /** Up to this number, all transactions were delivered as they are in the database. */
  #checked = 0;
  /** The deliveries after that, by sequence number. */
  readonly #unchecked = new Map<number, Delivery>();

  /** The number of the last transaction that is already checked against the log. */
  get checked(): number {
    return this.#checked;
  }

  /** The numbers of the transactions that are not checked yet. */
  get unchecked(): number[] {
    return [...this.#unchecked.keys()];
  }

  /** Whether a transaction was delivered before one with a lower number. */
  get hasGap(): boolean {
    let last = this.#checked;
    while (this.#unchecked.has(last + 1)) last += 1;
    return this.#unchecked.size > last - this.#checked;
  }

  /** Marks this transaction and all before it as delivered, and none after it. */
  startAt(sequence: number): void {
    this.#checked = sequence;
    this.#unchecked.clear();
  }

  /** Returns whether to deliver the changes: false if this number was delivered before. */
  add(sequence: number, changes: readonly StoreChange[], isOwn: boolean): boolean {
    if (sequence <= this.#checked) return false;
    const known = this.#unchecked.get(sequence);
    // A commit of this tab replaces what other tabs have announced with its number.
    if (known && (known.isOwn || !isOwn)) return false;
    this.#unchecked.set(sequence, { logged: toLogEntry(changes), isOwn });
    while (this.#unchecked.get(this.#checked + 1)?.isOwn) {
      this.#checked += 1;
      this.#unchecked.delete(this.#checked);
    }
    return true;
  }

  /**
   * Compares the deliveries with the log. Returns the changes that still have to be delivered: those
   * that were not announced, and those that were announced wrongly.
   *
   * @param last The number of the last transaction of the database.
   * @param transactions Those after `checked`; `everything` if they are not known separately.
   * @param earlier The numbers that were {@link unchecked} when the log was read. If the database does
   *   not have one of them, its announcement was forged.
   */
  check(
    last: number,
    transactions: LoggedTransactions,
    earlier: readonly number[],
  ): LoggedChanges[] {
    const missed: LoggedChanges[] = transactions === 'everything' ? ['everything'] : [];
    if (transactions !== 'everything') {
      for (const { sequence, changes } of transactions) {
        if (!this.#isDelivered(sequence, changes)) missed.push(changes);
      }
    }
    this.#checked = Math.max(this.#checked, last);
    const numbers = [...this.#unchecked.keys()].filter((number) => number <= this.#checked);
    for (const number of [...numbers, ...earlier]) this.#unchecked.delete(number);
    return missed;
  }

  #isDelivered(sequence: number, changes: LoggedChanges): boolean {
    if (sequence <= this.#checked) return true;
    const delivery = this.#unchecked.get(sequence);
    return JSON.stringify(delivery?.logged) === JSON.stringify(changes);
  }
}

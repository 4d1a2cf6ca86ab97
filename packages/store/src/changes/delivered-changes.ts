import type { LoggedChanges, StoreChange } from '../schema/schema.js';

/** The most changes of one transaction that are kept one by one. */
const MAX_LOGGED_CHANGES = 100;

/** What the log keeps of the changes of one transaction. */
export function toLogged(changes: readonly StoreChange[]): LoggedChanges {
  const isMuch =
    changes.length > MAX_LOGGED_CHANGES || changes.some(({ kind }) => kind === 'everything');
  return isMuch ? 'everything' : [...changes];
}

/** What was committed after some transaction. */
export type LoggedTransactions = { sequence: number; changes: LoggedChanges }[] | 'everything';

/** The changes of one transaction as they were delivered. */
interface Delivery {
  logged: LoggedChanges;
  /** Whether this tab has committed them, so that nobody can have made them up. */
  isOwn: boolean;
}

/**
 * Which transactions were delivered to the listeners of this tab, in whatever order, and what of them
 * is still to be compared with the log of the database.
 */
export class DeliveredChanges {
  /** It and all before it were delivered as the database has them. */
  #checked = 0;
  /** What was delivered of the transactions after that. */
  readonly #unchecked = new Map<number, Delivery>();

  /** The number of the last transaction that need not be compared with the log any more. */
  get checked(): number {
    return this.#checked;
  }

  /** The numbers of the transactions that are still to be compared. */
  get unchecked(): number[] {
    return [...this.#unchecked.keys()];
  }

  /** Whether a transaction was delivered before one with a lower number. */
  get hasGap(): boolean {
    let last = this.#checked;
    while (this.#unchecked.has(last + 1)) last += 1;
    return this.#unchecked.size > last - this.#checked;
  }

  /** Takes the transaction and all before it as delivered, and none after it. */
  startAt(sequence: number): void {
    this.#checked = sequence;
    this.#unchecked.clear();
  }

  /** Returns whether the changes are to be delivered: whether none were under this number. */
  add(sequence: number, changes: readonly StoreChange[], isOwn: boolean): boolean {
    if (sequence <= this.#checked) return false;
    const known = this.#unchecked.get(sequence);
    // What this tab has committed is true, whatever others have announced under the number.
    if (known && (known.isOwn || !isOwn)) return false;
    this.#unchecked.set(sequence, { logged: toLogged(changes), isOwn });
    while (this.#unchecked.get(this.#checked + 1)?.isOwn) {
      this.#checked += 1;
      this.#unchecked.delete(this.#checked);
    }
    return true;
  }

  /**
   * Compares what was delivered with the log. Returns what is still to be delivered: transactions that
   * nobody has announced, and those of which something else was.
   *
   * @param last The number of the last transaction of the database.
   * @param transactions Those after `checked`; `everything` where they are not known one by one.
   * @param earlier The numbers that were {@link unchecked} when the log was read: of those that the
   *   database does not have, a stranger has made up the announcement.
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

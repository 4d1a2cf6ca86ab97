import type { RequestId } from '@inpage-mcp/transport';
import type { Case } from './cases.js';
import type { Demand } from './demands.js';

interface Entry {
  /** How many requests had this id; more than one if it was used again while under way. */
  sent: number;
  came: number;
  /** It was taken back, so it may be answered or not. */
  isCancelled: boolean;
  /** A stream, that may be acknowledged instead. */
  isStream: boolean;
  /** It is left from the time before. */
  isLate: boolean;
  right?: Case['right'];
}

const NEW = { isCancelled: false, isStream: false, isLate: false };

/**
 * What one connection has asked since the last time that all was answered.
 *
 * A request whose id is in use is refused without an id; whether it still was in use is for the
 * server to know. So of such ids only the sum is certain: one answer for each message.
 */
export class Ledger {
  readonly #entries = new Map<RequestId, Entry>();
  #anonymousOwed = 0;
  #anonymousCame = 0;

  /** The ids that were used, in order. */
  get ids(): RequestId[] {
    return [...this.#entries].filter(([, { isLate }]) => !isLate).map(([id]) => id);
  }

  /** The streams that may be open. */
  get streams(): RequestId[] {
    return this.ids.filter((id) => this.#entries.get(id)!.isStream);
  }

  /** Whether everything has come that has to. */
  get isSettled(): boolean {
    return this.missing.length === 0 && this.owed <= 0;
  }

  /** Requests without any answer. */
  get missing(): RequestId[] {
    return this.ids.filter((id) => {
      const { came, isCancelled } = this.#entries.get(id)!;
      return came === 0 && !isCancelled;
    });
  }

  /** How many more messages have to come. */
  get owed(): number {
    const isCertain = ({ isCancelled }: Entry): boolean => !isCancelled;
    return this.#owedOf(isCertain) - this.#cameOf(isCertain);
  }

  /** How many more messages came than could. */
  get surplus(): number {
    return this.#cameOf(({ isLate }) => !isLate) - this.#owedOf(({ isLate }) => !isLate);
  }

  sent({ ids, streams, anonymous, cancelled }: Demand, right: Case['right']): void {
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry) {
        entry.sent += 1;
        entry.isLate = false;
      } else this.#entries.set(id, { sent: 1, came: 0, ...NEW });
      if (right && !entry) this.#entries.get(id)!.right = right;
    }
    for (const id of streams) this.#entries.get(id)!.isStream = true;
    for (const id of cancelled) this.cancel(id);
    this.#anonymousOwed += anonymous;
  }

  cancel(id: RequestId): void {
    const entry = this.#entries.get(id);
    if (entry) entry.isCancelled = true;
  }

  /** @returns The request that it is about, or undefined when there can be none (any more). */
  came(id: RequestId | undefined): Entry | undefined {
    if (id === undefined) {
      this.#anonymousCame += 1;
      return undefined;
    }
    const entry = this.#entries.get(id);
    if (entry) entry.came += 1;
    return entry;
  }

  /**
   * Forgets what was answered. What may have been asked again in vain, after it was taken back,
   * may still be answered the next time.
   */
  clear(): void {
    const entries = [...this.#entries];
    this.#entries.clear();
    for (const [id, { sent, came, isStream, isLate }] of entries) {
      if (isLate || sent <= came) continue;
      const late = { sent: sent - came, came: 0, isCancelled: true, isStream, isLate: true };
      this.#entries.set(id, late);
    }
    this.#anonymousOwed = 0;
    this.#anonymousCame = 0;
  }

  #cameOf(counts: (entry: Entry) => boolean): number {
    return this.#sum(counts, ({ came }) => came) + this.#anonymousCame;
  }

  #owedOf(counts: (entry: Entry) => boolean): number {
    return this.#sum(counts, ({ sent }) => sent) + this.#anonymousOwed;
  }

  #sum(counts: (entry: Entry) => boolean, of: (entry: Entry) => number): number {
    return [...this.#entries.values()].filter(counts).reduce((sum, entry) => sum + of(entry), 0);
  }
}

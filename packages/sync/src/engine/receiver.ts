import { StoreError } from '@inpage-mcp/store';
import {
  checkSyncWrite,
  type StoreSync,
  type SyncEntry,
  type SyncOutcome,
  type SyncWrite,
} from '@inpage-mcp/store/sync';
import type { Entry } from '../merge/merge-entry.js';
import { RemoteError } from '../remotes/remote.js';
import { decide, type Decision, type RemoteEntry } from './decide.js';
import { contentFor } from './entries.js';
import { MAX_CONFLICTS, type SyncState } from './sync-state.js';

/** The maximum number of attempts for an entry that changes again and again. */
export const ATTEMPTS = 10;

/** The parts of its engine that a receiver needs. */
export interface ReceiverParts {
  store: StoreSync;
  now: () => number;
  state: () => SyncState;
  save: (change: Partial<SyncState>) => Promise<void>;
  refuse: (reason: 'replayed' | 'rejected') => void;
}

/** Writes the entries of the server, without fetching the bytes of files. */
export class Receiver {
  readonly #parts: ReceiverParts;

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
  }

  /**
   * Makes entries the same as on the server, or the results of a merge.
   *
   * @param position The position of the last read change, to be stored with them.
   * @param isInTheWay See {@link decide}.
   * @returns Whether the position was stored, with the last entry.
   */
  async accept(
    entries: readonly RemoteEntry[],
    position?: string,
    isInTheWay = false,
  ): Promise<boolean> {
    let pending = entries;
    let isWritten = false;
    for (let attempt = 0; pending.length > 0; attempt += 1) {
      if (attempt === ATTEMPTS)
        throw new RemoteError('unavailable', 'An entry changes all the time.');
      const stored = await this.#parts.store.readAll(pending.map(({ entry }) => entry));
      const decisions = await Promise.all(
        pending.map((one, index) => this.decide(one, stored[index]!, isInTheWay)),
      );
      const writes = decisions.map((decision) => decision?.write);
      // A copy is written before its original changes, so that nothing is lost in between.
      for (const decision of decisions) if (decision?.copy) await this.addCopy(decision.copy);
      const made = writes.filter((write) => write !== undefined);
      const outcomes = made.length > 0 ? await this.apply(made, position) : [];
      isWritten = position !== undefined && made.length > 0;
      const skipped = new Set(made.filter((_, index) => outcomes[index] === 'skipped'));
      pending = pending.filter((_, index) => writes[index] && skipped.has(writes[index]));
      // What was skipped is decided again.
      const decided = decisions.filter((one) => one !== undefined);
      await this.noteConflicts(decided.filter(({ write }) => !write || !skipped.has(write)));
    }
    return isWritten;
  }

  /**
   * Writes entries, without those that the store refuses: the entries of a device that ignores the limits
   * must not prevent others from being taken.
   */
  async apply(writes: SyncWrite[], position?: string): Promise<SyncOutcome[]> {
    const refused = writes.map((write) => isRefused(write));
    for (const isOne of refused) if (isOne) this.#parts.refuse('rejected');
    const usable = writes.filter((_, index) => !refused[index]);
    const outcomes = await this.#parts.store.apply(usable, position);
    return refused.map((isOne) => (isOne ? 'applied' : outcomes.shift()!));
  }

  /** Decides about an entry; `undefined` if it is known, or older than the known one. */
  async decide(
    remote: RemoteEntry,
    local: SyncEntry,
    isInTheWay: boolean,
  ): Promise<Decision | undefined> {
    const { sent = new Map() } = this.#parts.state();
    const decision = await decide(remote, local, { sent, now: this.#parts.now(), isInTheWay });
    if (decision !== 'replayed' && !decision?.isReplayed) return decision;
    this.#parts.refuse('replayed');
    return decision === 'replayed' ? undefined : decision;
  }

  /** Adds the other version of a note, as a note of this device. */
  async addCopy(copy: Entry): Promise<void> {
    const { kind, key } = copy;
    const { note, mark, damaged } = await this.#parts.store.read(kind, key);
    if (note ?? mark ?? damaged) return;
    const write = { kind, key, expectedMark: undefined, synced: undefined, keepMark: true };
    await this.#parts.store.apply([{ ...write, ...contentFor(copy) }]);
  }

  async noteConflicts(decisions: readonly Decision[]): Promise<void> {
    const found = decisions.flatMap(({ conflict }) => conflict ?? []);
    if (found.length === 0) return;
    await this.#parts.save({
      conflicts: [...this.#parts.state().conflicts, ...found].slice(-MAX_CONFLICTS),
    });
  }
}

function isRefused(write: SyncWrite): boolean {
  try {
    checkSyncWrite(write);
    return false;
  } catch (error) {
    if (error instanceof StoreError) return true;
    throw error;
  }
}

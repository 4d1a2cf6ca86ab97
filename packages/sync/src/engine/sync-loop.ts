import { RecordError } from '../keys/record-error.js';
import { RemoteError, type Remote, type RemoteErrorCode } from '../remotes/remote.js';
import type { Engine, RoundReport } from './engine.js';

/** The minimum and maximum pause after a failure, in milliseconds; it doubles after each failure. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 300_000;

/** The interval of rounds without a notification of a change, in milliseconds. */
const ROUND_INTERVAL_MS = 3_600_000;

/** The time for which changes of this device are collected before they are sent, in milliseconds. */
const GATHER_MS = 5;

/**
 * The delay before this device listens again to a server that could no longer report changes, in
 * milliseconds.
 */
const LISTEN_PAUSE_MS = 5_000;

/**
 * The activity of a device:
 *
 * - `syncing`: it takes or sends changes
 * - `idle`: everything is the same as on the server, as far as it knows
 * - `waiting`: it failed, and tries again later
 * - `locked`: another device has changed the keys, and the passphrase is needed
 */
export type LoopState = 'syncing' | 'idle' | 'waiting' | 'locked';

/** The status with which listeners are called. */
export interface LoopStatus {
  state: LoopState;
  /** The reason of the failure, while it waits. */
  reason?: RemoteErrorCode | 'storage';
  /** The report of the last complete round. */
  report?: RoundReport;
}

/** The parts that a loop works with. */
export interface LoopParts {
  engine: Pick<Engine, 'round' | 'doubt' | 'compareNext'>;
  remote: Pick<Remote, 'live'>;
  /** Calls the listener after each change of this device. Returns a function that ends this. */
  listen: (listener: () => void) => () => void;
  onstatus: (status: LoopStatus) => void;
  /** A number from 0 to 1. Default: a random number. */
  random?: () => number;
}

/** Runs a round whenever there is a reason for one, until it is aborted. */
export class SyncLoop {
  readonly #parts: LoopParts;
  /** Whether something has changed since the last round began. */
  #isDue = false;
  #wake: () => void = () => undefined;
  #failures = 0;

  constructor(parts: LoopParts) {
    this.#parts = parts;
  }

  /**
   * Begins a round at once, also in a pause after a failure. The round compares the records of the server.
   */
  syncNow(): void {
    this.#parts.engine.compareNext();
    this.retry();
  }

  /** Begins a round at once, also in a pause after a failure. */
  retry(): void {
    this.#failures = 0;
    this.#due();
  }

  /** Runs the rounds. Resolves when it is aborted, and when another device has changed the keys. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = this.#parts.listen(() => this.#due());
    let live: Promise<void> | undefined;
    try {
      while (!signal.aborted) {
        // The device listens before the round, so that no change is missed between the two.
        live ??= this.#listen(signal).then(() => {
          live = undefined;
        });
        const outcome = await this.#round(signal);
        if (outcome === 'locked') return;
        if (outcome === 'done') await this.#sleep(ROUND_INTERVAL_MS, signal, () => this.#isDue);
        else await this.#pause(signal);
      }
    } finally {
      stop();
    }
  }

  #due(): void {
    this.#isDue = true;
    this.#wake();
  }

  async #round(signal: AbortSignal): Promise<'done' | 'failed' | 'locked'> {
    const { engine, onstatus } = this.#parts;
    await new Promise((gathered) => setTimeout(gathered, GATHER_MS));
    this.#isDue = false;
    onstatus({ state: 'syncing' });
    try {
      const report = await engine.round(signal);
      this.#failures = 0;
      onstatus({ state: 'idle', report });
      return 'done';
    } catch (error) {
      if (signal.aborted) return 'failed';
      if (error instanceof RecordError && error.code === 'unknown-key') {
        onstatus({ state: 'locked' });
        return 'locked';
      }
      this.#failures += 1;
      const reason = error instanceof RemoteError ? error.code : 'storage';
      if (reason === 'unavailable') engine.doubt();
      onstatus({ state: 'waiting', reason });
      return 'failed';
    }
  }

  /**
   * Listens for changes. After the server could no longer report them, waits, and begins a round that listens
   * again.
   */
  async #listen(signal: AbortSignal): Promise<void> {
    const { engine, remote } = this.#parts;
    await remote.live(() => this.#due(), signal).catch(() => engine.doubt());
    await this.#sleepFor(LISTEN_PAUSE_MS, signal);
    this.#due();
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { random = Math.random } = this.#parts;
    const longest = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** Math.min(this.#failures - 1, 20));
    // The pause is random, so that many devices do not come back at the same moment.
    await this.#sleep(longest * (0.5 + random() / 2), signal, () => this.#failures === 0);
  }

  async #sleep(ms: number, signal: AbortSignal, isOver: () => boolean): Promise<void> {
    const waking = new AbortController();
    this.#wake = () => {
      if (isOver()) waking.abort();
    };
    this.#wake();
    await this.#sleepFor(ms, AbortSignal.any([signal, waking.signal]));
    this.#wake = () => undefined;
  }

  async #sleepFor(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
    });
  }
}

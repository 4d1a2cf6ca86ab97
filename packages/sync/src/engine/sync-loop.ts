import { RecordError } from '../keys/record-error.js';
import { RemoteError, type Remote, type RemoteErrorCode } from '../remotes/remote.js';
import type { Engine, RoundReport } from './engine.js';

/** The shortest and the longest pause after a failure, in milliseconds; twice as long after each. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 300_000;

/** How often there is a round although nobody says that something has changed, in milliseconds. */
const ROUND_INTERVAL_MS = 3_600_000;

/** How long changes here are gathered before they are sent, in milliseconds. */
const GATHER_MS = 5;

/** How long it waits before it listens again to a server that could no longer tell, in milliseconds. */
const LISTEN_PAUSE_MS = 5_000;

/**
 * What a device does:
 *
 * - `syncing`: it takes or sends changes
 * - `idle`: everything is the same as on the server, as far as it knows
 * - `waiting`: it failed, and tries again later
 * - `locked`: another device has changed the keys, and the passphrase is needed
 */
export type LoopState = 'syncing' | 'idle' | 'waiting' | 'locked';

/** What listeners are called with. */
export interface LoopStatus {
  state: LoopState;
  /** Why it failed, while it waits. */
  reason?: RemoteErrorCode | 'storage';
  /** Of the last round that came to its end. */
  report?: RoundReport;
}

/** What a loop works with. */
export interface LoopParts {
  engine: Pick<Engine, 'round' | 'doubt' | 'compareNext'>;
  remote: Pick<Remote, 'live'>;
  /** Calls the listener after each change of this device. Returns a function that ends this. */
  listen: (listener: () => void) => () => void;
  onstatus: (status: LoopStatus) => void;
  /** From 0 to 1. Default: chance. */
  random?: () => number;
}

/** Rounds, whenever there is a reason for one, until it is aborted. */
export class SyncLoop {
  readonly #parts: LoopParts;
  /** Whether something has changed since the last round began. */
  #isDue = false;
  #wake: () => void = () => undefined;
  #failures = 0;

  constructor(parts: LoopParts) {
    this.#parts = parts;
  }

  /** Begins a round at once, also in a pause after a failure, which compares what the server has. */
  syncNow(): void {
    this.#parts.engine.compareNext();
    this.retry();
  }

  /** Begins a round at once, also in a pause after a failure. */
  retry(): void {
    this.#failures = 0;
    this.#due();
  }

  /** Resolves when it is aborted, and when another device has changed the keys. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = this.#parts.listen(() => this.#due());
    let live: Promise<void> | undefined;
    try {
      while (!signal.aborted) {
        // Before the round, so that no change falls between the two.
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

  /** Ends a pause after the server could no longer tell of changes: the next round listens again. */
  async #listen(signal: AbortSignal): Promise<void> {
    const { engine, remote } = this.#parts;
    await remote.live(() => this.#due(), signal).catch(() => engine.doubt());
    await this.#sleepFor(LISTEN_PAUSE_MS, signal);
    this.#due();
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { random = Math.random } = this.#parts;
    const longest = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** Math.min(this.#failures - 1, 20));
    // Many devices must not come back at the same moment.
    await this.#sleep(longest * (0.5 + random() / 2), signal, () => this.#failures === 0);
  }

  async #sleep(ms: number, signal: AbortSignal, isOver: () => boolean): Promise<void> {
    const awake = new Promise<void>((resolve) => {
      this.#wake = () => {
        if (isOver()) resolve();
      };
      this.#wake();
    });
    await Promise.race([awake, this.#sleepFor(ms, signal)]);
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

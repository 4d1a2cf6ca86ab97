import type { ProgressListener } from '../errors/progress.js';
import { StoreError, storeErrorOf } from '../errors/store-error.js';
import { Watchdog } from '../errors/watchdog.js';

/** How long an open waits for a tab of which the browser says that it holds the database. */
const BLOCKED_TIMEOUT_MS = 4_000;

/**
 * How long an open may show no sign of life. The browser may have to clean up after a kill first, or
 * to finish what another tab does, and an upgrade takes long where there are years of notes.
 */
const STALLED_TIMEOUT_MS = 30_000;

/** What an open that takes long is waiting for. */
export interface OpeningProgress {
  /**
   * - `blocked`: another tab holds the database, and was asked to let go of it.
   * - `upgrading`: this tab, or another, brings a database of an earlier version up to date.
   */
  state: 'blocked' | 'upgrading';
  /** How many notes are up to date. */
  done: number;
  /** Of how many; 0 while that is not known. */
  total: number;
}

/** Called with what an open is waiting for, and how far an upgrade is. */
export type OpeningListener = (progress: OpeningProgress) => void;

/**
 * Ends an open that does not come to an end by itself: nothing ends one that makes progress. A timer
 * proves nothing of other tabs, so that only the browser's own word leads to `blocked`.
 */
export class OpeningWatch {
  /** Rejects with `blocked` or `timeout`. Never resolves. */
  readonly timeout: Promise<never>;
  readonly #channel: BroadcastChannel;
  readonly #onprogress: OpeningListener;
  #fail!: (error: Error) => void;
  #watchdog: Watchdog | undefined;
  /** Whether this tab runs the upgrade. */
  #isUpgrading = false;
  #isStopped = false;

  constructor(databaseName: string, onprogress: OpeningListener = () => undefined) {
    this.timeout = new Promise((_resolve, reject) => (this.#fail = reject));
    this.timeout.catch(() => undefined);
    this.#onprogress = onprogress;
    // An open waits for the upgrade of another tab without any event.
    this.#channel = new BroadcastChannel(`inpage-mcp:${databaseName}:upgrade`);
    this.#channel.addEventListener('message', ({ data }) => this.#receive(data));
    this.#wait(STALLED_TIMEOUT_MS, openTimeout());
  }

  /** The browser says that a connection of another tab is in the way. */
  startBlockedTimeout(): void {
    if (this.#isStopped) return;
    this.#report({ state: 'blocked', done: 0, total: 0 });
    this.#wait(BLOCKED_TIMEOUT_MS, storeErrorOf('blocked'));
  }

  /**
   * The upgrade has begun; gives what is to be called with its progress.
   *
   * @param abort Called where it makes no progress any more.
   */
  startUpgrade(isNew: boolean, abort: () => void): ProgressListener {
    this.#isUpgrading = true;
    const notify: ProgressListener = (done, total) => {
      if (this.#isStopped) return;
      this.#wait(STALLED_TIMEOUT_MS, upgradeTimeout(), abort);
      if (isNew) return;
      this.#report({ state: 'upgrading', done, total });
      this.#channel.postMessage({ done, total });
    };
    notify(0, 0);
    return notify;
  }

  stop(): void {
    this.#isStopped = true;
    this.#watchdog?.stop();
    this.#channel.close();
  }

  #receive(data: unknown): void {
    // Any script of the origin may have sent it.
    if (this.#isUpgrading || !isProgress(data)) return;
    const { done, total } = data;
    this.#wait(STALLED_TIMEOUT_MS, openTimeout());
    this.#report({ state: 'upgrading', done, total });
  }

  #wait(timeoutMs: number, error: StoreError, ontimeout: () => void = () => undefined): void {
    this.#watchdog?.stop();
    this.#watchdog = new Watchdog(timeoutMs, () => {
      ontimeout();
      this.#fail(error);
    });
    this.#watchdog.timeout.catch(() => undefined);
  }

  #report(progress: OpeningProgress): void {
    try {
      this.#onprogress(progress);
    } catch (error) {
      reportError(error);
    }
  }
}

function isProgress(data: unknown): data is { done: number; total: number } {
  if (typeof data !== 'object' || data === null) return false;
  const { done, total } = data as { done?: unknown; total?: unknown };
  return [done, total].every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
}

function openTimeout(): StoreError {
  const text =
    'The browser did not open the data in time. The disk may be full; make room, then try again.';
  return new StoreError('timeout', text);
}

function upgradeTimeout(): StoreError {
  const text =
    'Bringing the data up to date came to a halt, and was undone. The disk may be full; make room, then try again.';
  return new StoreError('timeout', text);
}

import type { ProgressListener } from '../errors/progress.js';
import { StoreError, storeErrorOf } from '../errors/store-error.js';
import { Watchdog } from '../errors/watchdog.js';

/** The maximum time that an open waits for a tab that blocks it, as the browser reports. */
const BLOCKED_TIMEOUT_MS = 4_000;

/**
 * The maximum time for which an open may make no progress. The browser may first have to recover from a kill,
 * or to finish the work of another tab, and the upgrade of many notes takes long.
 */
const STALLED_TIMEOUT_MS = 30_000;

/** The reason why an open is slow. */
export interface OpeningProgress {
  /**
   * - `blocked`: another tab holds the database open, and was asked to close it.
   * - `upgrading`: this tab, or another, upgrades a database of an earlier version.
   */
  state: 'blocked' | 'upgrading';
  /** The number of notes that have been upgraded. */
  done: number;
  /** The total number of notes; 0 while unknown. */
  total: number;
}

/** Called with the reason why an open is slow, and with the progress of an upgrade. */
export type OpeningListener = (progress: OpeningProgress) => void;

/**
 * Rejects when an open makes no progress. It rejects with `blocked` only if the browser has reported
 * that: a timer proves nothing about other tabs.
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
    // The browser sends no event while an open waits for the upgrade of another tab.
    this.#channel = new BroadcastChannel(`inpage-mcp:${databaseName}:upgrade`);
    this.#channel.addEventListener('message', ({ data }) => this.#receive(data));
    this.#startTimeout(STALLED_TIMEOUT_MS, openTimeout());
  }

  /** Call it when the browser reports that another tab's connection blocks the open. */
  startBlockedTimeout(): void {
    if (this.#isStopped) return;
    this.#report({ state: 'blocked', done: 0, total: 0 });
    this.#startTimeout(BLOCKED_TIMEOUT_MS, storeErrorOf('blocked'));
  }

  /**
   * Call it when the upgrade has begun. Returns the listener for its progress.
   *
   * @param abort Called when the upgrade makes no progress any more.
   */
  startUpgrade(isNew: boolean, abort: () => void): ProgressListener {
    this.#isUpgrading = true;
    const notify: ProgressListener = (done, total) => {
      if (this.#isStopped) return;
      this.#startTimeout(STALLED_TIMEOUT_MS, upgradeTimeout(), abort);
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
    this.#startTimeout(STALLED_TIMEOUT_MS, openTimeout());
    this.#report({ state: 'upgrading', done, total });
  }

  #startTimeout(
    timeoutMs: number,
    error: StoreError,
    ontimeout: () => void = () => undefined,
  ): void {
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
    'The upgrade of the data stopped, and was undone. The disk may be full; make room, then try again.';
  return new StoreError('timeout', text);
}

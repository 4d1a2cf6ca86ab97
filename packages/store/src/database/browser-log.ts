import type { Room } from './disk-reserve.js';
import { canLogBeTruncated, rotateLog } from './log-rotation.js';
import { Watchdog } from '../errors/watchdog.js';

/** Within this time after a failed transaction, the browser closes a lost connection. */
export const CLOSE_EVENT_MS = 500;

/** How long a write waits for the log rotation. */
export const ROTATION_TIMEOUT_MS = 2_000;

/** How long after a full disk: nothing is written without it then. */
const FULL_DISK_ROTATION_TIMEOUT_MS = 8_000;

/**
 * The browser's log of the database. It may be truncated (see log-rotation.ts) at each start, as the end
 * of the last browser process is unknown, and after each loss of a connection.
 */
export class BrowserLog {
  readonly #databaseName: string;
  readonly #ontimeout: () => void;
  /** How many events may have truncated the log since the last rotation. */
  #doubts = Number(canLogBeTruncated());
  #isTruncated = false;
  #wasFull = false;
  #isOfFullDisk = false;
  #rotation: Promise<void> | undefined;
  /** When a write last failed with an exceeded quota. */
  #fullAt = Number.NEGATIVE_INFINITY;

  /** @param ontimeout Called if the rotation times out while nothing may be written without it. */
  constructor(databaseName: string, ontimeout: () => void) {
    this.#databaseName = databaseName;
    this.#ontimeout = ontimeout;
  }

  /**
   * Call it before a connection is opened. On a disk that was full and has room for another log, the log is
   * truncated, and with the next full disk everything would be lost: nothing is written before a rotation has
   * succeeded, which is repeated more often and has more time than at a start. Where only the quota is used
   * up, deletions must stay possible.
   */
  recordOpening(room: Room): void {
    const wasDiskFull = room === 'released' || (room === 'free' && this.#wasFull);
    if (!wasDiskFull || !canLogBeTruncated()) return;
    this.#doubts += 1;
    this.#isTruncated = true;
    this.#wasFull = false;
    this.#isOfFullDisk = true;
  }

  /** Whether the next write would most likely be lost. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /**
   * Whether the connection was lost right after a quota error, as with SQLite, which has no such log.
   * Then a deletion may still succeed, and a rotation may not.
   */
  get wasFull(): boolean {
    return this.#wasFull;
  }

  /**
   * Resolves once the browser has begun a new log; at once if none is needed. After a timeout the
   * rotation continues, and later writes wait for it only if the log is known to be truncated. Rejects
   * as the rotation does.
   */
  async ensureRotated(): Promise<void> {
    // Again if a doubt arose during the rotation: the new log may be affected.
    while (this.#doubts > 0) {
      this.#rotation ??= this.#rotate().finally(() => (this.#rotation = undefined));
      await this.#rotation;
    }
  }

  /** Call it when a write failed. */
  recordFailedWrite(cause: 'quota' | 'unknown'): void {
    this.#fullAt = cause === 'quota' ? performance.now() : Number.NEGATIVE_INFINITY;
  }

  /** Call it when a connection was dropped. */
  recordDrop(): void {
    this.#doubts += Number(canLogBeTruncated());
  }

  /** Call it when the browser has closed the connection. */
  recordLoss(): void {
    this.recordDrop();
    this.#wasFull = performance.now() - this.#fullAt <= CLOSE_EVENT_MS;
    if (this.#doubts > 0 && !this.#wasFull) this.#isTruncated = true;
  }

  /** Call it when the browser has begun a new log. */
  reset(): void {
    this.#doubts = 0;
    this.#isTruncated = false;
    this.#wasFull = false;
    this.#isOfFullDisk = false;
  }

  async #rotate(): Promise<void> {
    const doubts = this.#doubts;
    const isOfFullDisk = this.#isOfFullDisk;
    const timeoutMs = isOfFullDisk ? FULL_DISK_ROTATION_TIMEOUT_MS : ROTATION_TIMEOUT_MS;
    const watchdog = new Watchdog(timeoutMs, () => {
      if (this.#isTruncated) this.#ontimeout();
      else this.#doubts = 0;
    });
    try {
      await Promise.race([rotateLog(this.#databaseName, isOfFullDisk), watchdog.timeout]);
      if (this.#doubts === doubts) this.reset();
    } finally {
      watchdog.stop();
    }
  }
}

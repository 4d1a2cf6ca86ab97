import type { Room } from './disk-reserve.js';
import { canLogBeTruncated, rotateLog } from './log-rotation.js';
import { Watchdog } from '../errors/watchdog.js';

/** The time within which the browser closes a lost connection after a failed transaction. */
export const CLOSE_EVENT_MS = 500;

/** The maximum time that a write waits for the log rotation. */
export const ROTATION_TIMEOUT_MS = 2_000;

/** The same after a full disk, when nothing may be written without the rotation. */
const FULL_DISK_ROTATION_TIMEOUT_MS = 8_000;

/**
 * The browser's log of the database. It may be truncated (see log-rotation.ts) at each start, because it is
 * unknown how the last browser process ended, and after each loss of a connection.
 */
export class BrowserLog {
  readonly #databaseName: string;
  readonly #ontimeout: () => void;
  /** The number of events since the last rotation that may have truncated the log. */
  #doubts = Number(canLogBeTruncated());
  #isTruncated = false;
  #wasFull = false;
  #isOfFullDisk = false;
  #rotation: Promise<void> | undefined;
  /** The time when a write last failed with an exceeded quota. */
  #fullAt = Number.NEGATIVE_INFINITY;

  /** @param ontimeout Called if the rotation times out while nothing may be written without it. */
  constructor(databaseName: string, ontimeout: () => void) {
    this.#databaseName = databaseName;
    this.#ontimeout = ontimeout;
  }

  /**
   * Call it before a connection is opened. If a disk was full and now has room for another log, the log is
   * truncated, and the next full disk would destroy everything. So nothing is written before a rotation has
   * succeeded, which is repeated more often and has more time than at a start. If only the quota is used up,
   * deletions must stay possible.
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
   * Whether the connection was lost right after a quota error, as with SQLite, which has no such log. A
   * deletion may still succeed then, but a rotation may fail.
   */
  get wasFull(): boolean {
    return this.#wasFull;
  }

  /**
   * Resolves once the browser has begun a new log; at once if none is needed. After a timeout the rotation
   * continues, and later writes wait for it only if the log is known to be truncated. Rejects as the rotation
   * does.
   */
  async ensureRotated(): Promise<void> {
    // Rotate again if a doubt arose during the rotation, because the new log may be affected.
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

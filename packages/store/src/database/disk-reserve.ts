import { canLogBeTruncated } from './log-rotation.js';
import { diskFullError, noRoomToOpenError } from '../errors/store-error.js';
import { Watchdog } from '../errors/watchdog.js';

/** The name of the file for all databases of the site, because the browser keeps them in the same files. */
const NAME = 'inpage-mcp-reserve';

/** The size of the file while the space is reserved. Only a worker that was killed leaves another size. */
const RESERVED_BYTES = 8 * 1024 * 1024;

/** The maximum number of bytes that LevelDB writes to move a log into its tables: its log has up to 4 MiB. */
const OPENING_BYTES = 5 * 1024 * 1024;

/** The time for which writes are refused without another attempt, after a failed attempt to take the space. */
const RETRY_MS = 1_000;

/** The maximum time that an open waits for another tab, which may open the database with the reserved space. */
const OPENING_TIMEOUT_MS = 30_000;

/** The maximum time that a write waits for another tab. */
const WRITE_TIMEOUT_MS = 10_000;

/**
 * The time for which the space that was released for an open stays free afterwards. The browser continues to
 * tidy up in the background, and nothing reports when it has finished. Without room for this, the browser
 * would append to the truncated log.
 */
const SETTLING_MS = 1_000;

/**
 * The result of the search for room for an open: room exists (`free`), or the reserved space was `released`.
 * `unknown` if the quota of the site is used up, or nothing can be reserved.
 */
export type Room = 'free' | 'released' | 'unknown';

const NOOP = (): void => undefined;

/**
 * Whether space can be reserved here: only in Chromium, only in a worker, and only in a secure context.
 * Elsewhere nothing is reserved, awaited or refused.
 */
export function canReserveDisk(): boolean {
  return canLogBeTruncated() && 'FileSystemSyncAccessHandle' in globalThis;
}

/**
 * Space on the disk that can be released without IndexedDB: a file of the origin private file system.
 * Truncating this file needs no free space.
 *
 * On a full disk, Chromium (156) writes the beginning of a record to the log of its LevelDB. When it opens
 * the database again and finds room for a few bytes, it appends them to that record. If the disk is full
 * again then, it treats the log as damaged at the next open, and deletes all databases of the site: see
 * docs/decisions/0063. So the database is opened only if there is room for another log, and is written to
 * only while this space is reserved.
 */
export class DiskReserve {
  /** The file. It stays open between two opens of the database, because its size is read before each write. */
  #file: Promise<ReserveFile | undefined> | undefined;
  #reserving: Promise<void> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  /**
   * Opens the database once the disk has room for it, which may need the reserved space. If it does, no
   * other tab opens or reserves until `open` has settled. Calls `open` at once if nothing can be reserved.
   *
   * @param open Called with the source of the room.
   * @throws {StoreError} `quota-exceeded` if the disk has no room even so; `timeout` if another tab does
   *   not finish its own open in 30 s.
   */
  async openWithRoom<Opened>(open: (room: Room) => Promise<Opened>): Promise<Opened> {
    if (!canReserveDisk()) return await open('unknown');
    // If the user has cleared the data of the site, this is not the file that the next open finds.
    this.close();
    const unlock = await lock(OPENING_TIMEOUT_MS);
    let isSettling = false;
    try {
      const room = (await withFile(findRoom)) ?? 'unknown';
      if (room === 'none') throw noRoomToOpenError();
      if (room !== 'released') unlock();
      const opened = await open(room);
      isSettling = room === 'released';
      return opened;
    } finally {
      if (isSettling) setTimeout(unlock, SETTLING_MS);
      else unlock();
    }
  }

  /**
   * Reserves the space unless it is reserved.
   *
   * @throws {StoreError} `quota-exceeded` if the disk has no room for it; `timeout` if another tab does not
   *   finish its open in 10 s.
   */
  async ensureReserved(): Promise<void> {
    const file = await (this.#file ??= openFile());
    if (!file || isReserved(file)) return;
    await (this.#reserving ??= this.#reserve().finally(() => (this.#reserving = undefined)));
  }

  /**
   * Releases the file object; the space stays reserved. The file is not closed, because in Chromium (156)
   * that blocks the worker forever if the user has cleared the data of the site.
   */
  close(): void {
    this.#file = undefined;
  }

  async #reserve(): Promise<void> {
    if (performance.now() - this.#failedAt < RETRY_MS) throw diskFullError(undefined);
    const unlock = await lock(WRITE_TIMEOUT_MS);
    try {
      const isDiskFull = await withFile(
        (file) => !grow(file, RESERVED_BYTES) && !isQuotaUsedUp(file, RESERVED_BYTES),
      );
      if (!isDiskFull) return;
      this.#failedAt = performance.now();
      throw diskFullError(undefined);
    } finally {
      unlock();
    }
  }
}

/** The methods of `FileSystemSyncAccessHandle` that are used: TypeScript has it only for workers. */
interface ReserveFile {
  getSize(): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(sizeBytes: number): void;
  flush(): void;
  close(): void;
}

/** Opens the file; `undefined` if that is not possible here. */
async function openFile(): Promise<ReserveFile | undefined> {
  try {
    const folder = await navigator.storage.getDirectory();
    const file = (await folder.getFileHandle(NAME, { create: true })) as FileSystemFileHandle & {
      createSyncAccessHandle(options: { mode: string }): Promise<ReserveFile>;
    };
    // The workers of several tabs have the file open.
    return await file.createSyncAccessHandle({ mode: 'readwrite-unsafe' });
  } catch {
    return undefined;
  }
}

/** Whether the space is reserved. False if a file that cannot be read has taken the place of the file. */
function isReserved(file: ReserveFile): boolean {
  try {
    return file.getSize() === RESERVED_BYTES;
  } catch {
    return false;
  }
}

/**
 * Call it only with the lock. Resolves with `undefined` if the file does not exist, or fails for a reason
 * other than missing room; the database is used without it then. Chromium counts a file that has grown twice
 * while it is open.
 */
async function withFile<Value>(use: (file: ReserveFile) => Value): Promise<Value | undefined> {
  const file = await openFile();
  if (!file) return undefined;
  try {
    // A part of the file that a killed worker has left may have no space on the disk.
    if (file.getSize() !== RESERVED_BYTES) file.truncate(0);
    return use(file);
  } catch {
    return undefined;
  } finally {
    file.close();
  }
}

/**
 * Resolves when no other tab measures or reserves space, with a function that releases the lock. Also
 * resolves if the browser grants no locks, as in an opaque origin, which has no such file either.
 *
 * @throws {StoreError} `timeout`
 */
async function lock(timeoutMs: number): Promise<() => void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const watchdog = new Watchdog(timeoutMs, () => waiting.abort());
  const locked = new Promise<() => void>((resolve) => {
    const hold = (): Promise<void> => new Promise((unlock) => resolve(unlock));
    navigator.locks.request(NAME, { signal }, hold).catch(() => resolve(NOOP));
  });
  try {
    return await Promise.race([watchdog.timeout, locked]);
  } finally {
    watchdog.stop();
  }
}

/**
 * Whether the disk has room to open the database: without the reserved space, or once it is released.
 * Unknown if the quota of the site is used up: then the database may be opened, as nothing is written.
 */
function findRoom(file: ReserveFile): Room | 'none' {
  if (hasRoom(file)) return 'free';
  if (isQuotaUsedUp(file, OPENING_BYTES)) return 'unknown';
  file.truncate(0);
  file.flush();
  return hasRoom(file) ? 'released' : 'none';
}

function hasRoom(file: ReserveFile): boolean {
  const sizeBytes = file.getSize();
  const isRoom = grow(file, sizeBytes + OPENING_BYTES);
  file.truncate(sizeBytes);
  return isRoom;
}

/** Makes the file this large. Returns false, and leaves it as it was, if the disk has no room. */
function grow(file: ReserveFile, sizeBytes: number): boolean {
  const before = file.getSize();
  try {
    for (let at = before; at < sizeBytes;) {
      const piece = noise().subarray(0, sizeBytes - at);
      const writtenBytes = file.write(piece, { at });
      if (writtenBytes < piece.length) throw new DOMException('', 'QuotaExceededError');
      at += writtenBytes;
    }
    return true;
  } catch {
    file.truncate(before);
    return false;
  }
}

/**
 * Whether the quota of the site has fewer bytes left than these. The browser's estimate does not show this,
 * and a write fails with the same message on a full disk. On most disks a file that grows without a write
 * takes no room; on the others (Windows) a full disk looks like a used-up quota.
 */
function isQuotaUsedUp(file: ReserveFile, bytes: number): boolean {
  const sizeBytes = file.getSize();
  try {
    // One byte more, so that a worker that is killed here never leaves the size of reserved space.
    file.truncate(sizeBytes + bytes + 1);
    return false;
  } catch {
    return true;
  } finally {
    file.truncate(sizeBytes);
  }
}

/** The maximum number of bytes that `getRandomValues` returns at once. */
const NOISE_BYTES = 64 * 1024;

let noiseBytes: Uint8Array<ArrayBuffer> | undefined;

/** Random bytes: some disks do not store zeros. */
function noise(): Uint8Array<ArrayBuffer> {
  noiseBytes ??= crypto.getRandomValues(new Uint8Array(NOISE_BYTES));
  return noiseBytes;
}

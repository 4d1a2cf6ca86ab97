import { canLogBeTruncated } from './log-rotation.js';
import { diskFullError, noRoomToOpenError } from '../errors/store-error.js';

/** For all databases of the site: the browser keeps them in the same files. */
const NAME = 'inpage-mcp-reserve';

/** How much of the disk the file takes. */
const RESERVED_BYTES = 8 * 1024 * 1024;

/** How much LevelDB may write to move a log into its tables: its log has up to 4 MiB. */
const OPENING_BYTES = 5 * 1024 * 1024;

/** After a failed attempt to take the space, how long writes are refused without another attempt. */
const RETRY_MS = 1_000;

/**
 * Space on the disk that can be released without IndexedDB: a file of the origin private file system. To
 * truncate it needs no free space.
 *
 * On a full disk, Chromium (156) writes the beginning of a record to the log of its LevelDB. When it opens
 * the database again and finds room for a few bytes, it appends them to that record. If it can write no
 * more then, it takes the log for damaged at the next open, and deletes all databases of the site: see
 * docs/decisions/0058. So the database is opened only if there is room for another log, and is written to
 * only while this space is reserved.
 *
 * Without such files (an insecure context, a window instead of a worker), nothing is reserved or refused.
 */
export class DiskReserve {
  /** Open as long as the store, because its size is read before each write. */
  #file: Promise<ReserveFile | undefined> | undefined;
  #reserving: Promise<void> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  /**
   * Opens the database once the disk has room for it, which may need the reserved space. If it does, no
   * other tab opens or reserves until `open` has settled.
   *
   * @param open Gets whether the reserved space was released.
   * @throws {StoreError} `quota-exceeded` if the disk has no room even so.
   */
  async openWithRoom<Opened>(open: (wasReleased: boolean) => Promise<Opened>): Promise<Opened> {
    const unlock = await lock();
    try {
      const room = (await withFile(findRoom)) ?? 'unknown';
      if (room === 'none') throw noRoomToOpenError();
      if (room !== 'released') unlock();
      return await open(room === 'released');
    } finally {
      unlock();
    }
  }

  /**
   * Reserves the space unless it is reserved.
   *
   * @throws {StoreError} `quota-exceeded` if the disk has no room for it.
   */
  async ensureReserved(): Promise<void> {
    const file = await (this.#file ??= openFile());
    if (!file || file.getSize() >= RESERVED_BYTES) return;
    await (this.#reserving ??= this.#reserve().finally(() => (this.#reserving = undefined)));
  }

  /** Closes the file. The space stays reserved. */
  close(): void {
    void this.#file?.then((file) => file?.close());
  }

  async #reserve(): Promise<void> {
    if (performance.now() - this.#failedAt < RETRY_MS) throw diskFullError(undefined);
    const unlock = await lock();
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

/** Undefined where there is no such file. */
async function openFile(): Promise<ReserveFile | undefined> {
  if (!canLogBeTruncated()) return undefined;
  try {
    const folder = await navigator.storage.getDirectory();
    const file = (await folder.getFileHandle(NAME, { create: true })) as FileSystemFileHandle & {
      createSyncAccessHandle(options: { mode: string }): Promise<ReserveFile>;
    };
    // The workers of several tabs have it open.
    return await file.createSyncAccessHandle({ mode: 'readwrite-unsafe' });
  } catch {
    return undefined;
  }
}

/** Undefined where there is no such file. Chromium counts a file that has grown twice while it is open. */
async function withFile<Value>(use: (file: ReserveFile) => Value): Promise<Value | undefined> {
  const file = await openFile();
  try {
    return file && use(file);
  } finally {
    file?.close();
  }
}

/** Resolves when no other tab measures or reserves space, with what ends that. */
async function lock(): Promise<() => void> {
  // An insecure context has no locks, and no such file.
  const { locks }: { locks?: LockManager } = navigator;
  if (!locks || !canLogBeTruncated()) return () => undefined;
  return await new Promise((resolve, reject) => {
    const hold = (): Promise<void> => new Promise((unlock) => resolve(unlock));
    locks.request(NAME, hold).catch(reject);
  });
}

/**
 * Whether the disk has room to open the database: without the reserved space, or once it is released.
 * Unknown if the quota of the site is used up: then the database may be opened, as nothing is written.
 */
function findRoom(file: ReserveFile): 'free' | 'released' | 'none' | 'unknown' {
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

/** Makes the file so large; false, and as before, if there is no room. */
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
 * Whether the quota of the site has not so many bytes left. The browser's estimate does not tell, and a
 * write fails in the same words on a full disk. A file that grows without a write takes no room on most
 * disks; on the others (Windows) a full disk looks like a used up quota.
 */
function isQuotaUsedUp(file: ReserveFile, bytes: number): boolean {
  const sizeBytes = file.getSize();
  try {
    file.truncate(sizeBytes + bytes);
    return false;
  } catch {
    return true;
  } finally {
    file.truncate(sizeBytes);
  }
}

/** The most that `getRandomValues` returns at once. */
const NOISE_BYTES = 64 * 1024;

let noiseBytes: Uint8Array<ArrayBuffer> | undefined;

/** Random bytes: some disks do not store zeros. */
function noise(): Uint8Array<ArrayBuffer> {
  noiseBytes ??= crypto.getRandomValues(new Uint8Array(NOISE_BYTES));
  return noiseBytes;
}

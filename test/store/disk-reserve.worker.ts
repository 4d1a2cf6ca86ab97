import { DiskReserve } from '../../packages/store/src/database/disk-reserve.js';

/** A call of the test, and its answer. */
export interface Call {
  id: number;
  method: 'limit' | 'leave' | 'open' | 'endOpen' | 'settle' | 'reserve';
  /** Of `limit`. */
  limit?: DiskLimit | undefined;
  /** Of `leave`. */
  sizeBytes?: number | undefined;
}

/** How large a file may become, in bytes: `written` on the disk, `grown` in the quota. */
export interface DiskLimit {
  written: number;
  grown: number;
}

interface SyncFile {
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(sizeBytes: number): void;
  close(): void;
}

const { FileSystemSyncAccessHandle } = globalThis as unknown as {
  FileSystemSyncAccessHandle: { prototype: SyncFile };
};
const { write, truncate } = FileSystemSyncAccessHandle.prototype;
const reserve = new DiskReserve();
let limit: DiskLimit = { written: Infinity, grown: Infinity };
let attempts = 0;
let endOpen: (() => void) | undefined;
/** Lets the time pass that the space stays free after it was released. */
let settle: (() => void) | undefined;

const { setTimeout } = globalThis;
Object.assign(globalThis, {
  setTimeout: (run: () => void, delayMs?: number) => {
    if (delayMs !== 1_000) return setTimeout(run, delayMs);
    settle = run;
    return 0;
  },
});

function check(sizeBytes: number, of: keyof DiskLimit): void {
  if (sizeBytes > Math.min(limit[of], limit.grown))
    throw new DOMException('', 'QuotaExceededError');
}

FileSystemSyncAccessHandle.prototype.write = function limited(this: SyncFile, bytes, options) {
  attempts += Number(bytes.length > 0);
  check(options.at + bytes.length, 'written');
  return write.call(this, bytes, options);
};

FileSystemSyncAccessHandle.prototype.truncate = function limited(this: SyncFile, sizeBytes) {
  check(sizeBytes, 'grown');
  truncate.call(this, sizeBytes);
};

const methods: { [method in Call['method']]: (call: Call) => unknown } = {
  limit: (call) => {
    limit = call.limit!;
    attempts = 0;
  },
  // As a worker leaves the file that was killed while it measured.
  leave: async ({ sizeBytes }) => {
    const folder = await navigator.storage.getDirectory();
    const handle = (await folder.getFileHandle('inpage-mcp-reserve', {
      create: true,
    })) as FileSystemFileHandle & {
      createSyncAccessHandle(options: { mode: string }): Promise<SyncFile>;
    };
    const file = await handle.createSyncAccessHandle({ mode: 'readwrite-unsafe' });
    file.truncate(sizeBytes!);
    file.close();
  },
  open: async () =>
    await new Promise<boolean>((resolve, reject) => {
      const opening = reserve.openWithRoom(async (room) => {
        resolve(room === 'released');
        await new Promise<void>((end) => (endOpen = end));
      });
      opening.catch(reject);
    }),
  endOpen: () => endOpen?.(),
  settle: () => settle?.(),
  reserve: async () => {
    await reserve.ensureReserved();
  },
};

self.onmessage = async ({ data: call }: MessageEvent<Call>) => {
  let answer: { value: unknown } | { code: unknown };
  try {
    answer = { value: await methods[call.method](call) };
  } catch (error) {
    answer = { code: (error as { code: unknown }).code };
  }
  self.postMessage({ id: call.id, attempts, ...answer });
};

// The folder of the tested browser's profile: in memory, if enough of it is free. Otherwise each write of the
// tests would wait for the disk, because the store requests that (`durability: 'strict'`). No test can see
// what a disk keeps when the power fails: `npm run test:faults` kills browsers on one.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** The folder that Linux keeps in memory. */
const IN_MEMORY = '/dev/shm';

/** The free memory that is required: several times the size of all profiles of a run at the same time. */
const ENOUGH_BYTES = 4 * 2 ** 30;

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES && freemem() >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** Puts temporary folders in memory from now on, if it has room for them, until the process ends. */
export function useMemoryForTemporaryFolders() {
  if (!hasRoom()) return;
  const folder = mkdtempSync(join(IN_MEMORY, 'inpage-mcp-tests-'));
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}

// Where the tested browser has its profile: in the memory, where there is enough of it. Each write of the
// tests would wait for the disk otherwise, because the store asks for that (`durability: 'strict'`), and
// no test can see what a disk keeps when the power fails: `npm run test:faults` kills browsers on one.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** What Linux keeps in the memory. */
const IN_MEMORY = '/dev/shm';

/** Several times what the profile of a whole run has at the same time. */
const ENOUGH_BYTES = 4 * 2 ** 30;

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES && freemem() >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** Has temporary folders in the memory from now on, if it has room for them, until the process ends. */
export function useMemoryForTemporaryFolders() {
  if (!hasRoom()) return;
  const folder = mkdtempSync(join(IN_MEMORY, 'inpage-mcp-tests-'));
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}

// A disk that is full to the last byte, or nearly so, and a database that is opened on it again.
import { DOWN_TO_NOTHING, fillDisks, LITTLE_BYTES } from './no-room.mjs';
import { Random } from './random.mjs';
import { testFault } from './rounds.mjs';

/** @typedef {import('./no-room.mjs').Visit} Visit */

/**
 * On each backend, as long as the whole may take. Without reserved space, a loss was once in a hundred rounds
 * with a reload, and in six of eight with a little room. `--rounds` looks for rarer ones.
 */
const ROUNDS = 2;
const ROUNDS_WITHOUT_A_BYTE = 10;
const ROUNDS_OF_SEVERAL = 4;

// LevelDB leaves half a record in its log, and Chromium may not open it again before there is room. Where
// nothing was opened anew, the space that is reserved is enough to delete.
for (const again of ['', 'reload', 'restart']) {
  const when = again === '' ? '' : `, even after a ${again}`;
  testFault(`not a byte left on the disk${when}`, ROUNDS_WITHOUT_A_BYTE, (fault) =>
    fillDisks(fault, (disk) => ({
      ...(again === 'reload' && { reloads: true }),
      // With not a byte left the browser itself would not start.
      ...(again === 'restart' && {
        beforeRestart: () => disk.fill(LITTLE_BYTES),
      }),
      sizes: DOWN_TO_NOTHING,
      cannotDelete: again !== '',
      cannotRead: fault.backend === 'leveldb',
    })),
  );
}

/** What other programs leave for a moment on a disk that is full, in bytes. */
const LEFT_FOR_A_MOMENT = [0, 4_096, 16_384, 65_536, 262_144];

/** When the browser is killed after writes have begun for which there is too little room, in milliseconds. */
const MAX_WRITING_MS = 80;

/** @type {Visit['how'][]} */
const WAYS = ['reload', 'worker', 'second tab', 'restart', 'kill', 'kill in a write'];

// LevelDB appends to a log whose last record was broken off, at each start that finds room for a few bytes.
for (const how of [...WAYS, undefined]) {
  testFault(
    `a full disk with a little room, before each ${how ?? 'of several'}`,
    how ? ROUNDS : ROUNDS_OF_SEVERAL,
    (fault) => {
      let round = 0;
      return fillDisks(fault, (disk) => {
        const random = new Random(fault.seed, round++);
        const visits = Array.from({ length: random.between(2, 4) }, () => ({
          how: how ?? random.pick(WAYS),
          fill: (/** @type {number} */ bytes) => disk.fill(bytes),
          bytes: random.pick(LEFT_FOR_A_MOMENT),
          writingMs: random.between(0, MAX_WRITING_MS),
        }));
        return {
          reloads: true,
          visits,
          sizes: DOWN_TO_NOTHING,
          cannotDelete: true,
          cannotRead: fault.backend === 'leveldb',
        };
      });
    },
  );
}

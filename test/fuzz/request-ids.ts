import type { RequestId } from '@inpage-mcp/transport';
import type { Random } from './random.js';

/** In UTF-16 code units (docs/limits.md). */
const MAX_ID_LENGTH = 1_024;

/** Ids that a careless reader takes for something else. */
const ODD_IDS: readonly RequestId[] = [
  0,
  -1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  '',
  '0',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  '\0',
  '\ud800',
  '\u202e1',
];

/**
 * An id for a request that must be answered.
 *
 * @param number No other request of the run has it.
 * @param isFree Whether no request of that id is under way.
 */
export function requestId(
  random: Random,
  number: number,
  isFree: (id: RequestId) => boolean,
): RequestId {
  const odd = random.pick(ODD_IDS);
  switch (random.below(8)) {
    case 0:
      return isFree(odd) ? odd : number;
    case 1:
      return -number;
    case 2:
      return `${number}`;
    case 3:
      return `__proto__${number}`;
    case 4:
      return `${number}`.padStart(MAX_ID_LENGTH, 'long');
    default:
      return number;
  }
}

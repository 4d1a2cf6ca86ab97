const CHUNKS = 150;

/** How long the work takes on the machine that the bounds are meant for. */
const REFERENCE_MS = 1;

/** Some work that takes about a millisecond, in the same way each time. */
function work(): number {
  const start = performance.now();
  let sum = 0;
  for (let index = 0; index < 300_000; index += 1) sum = (sum * 31 + index) % 1_000_003;
  // Nothing optimises away what is looked at.
  if (sum < 0) throw new Error('It is never negative.');
  return performance.now() - start;
}

/**
 * How many times longer work takes now than on the reference machine while nobody else uses it, which
 * is 1. A bound in milliseconds is one for that machine: multiply it by this.
 */
export function slowness(): number {
  const times = Array.from({ length: CHUNKS }, work).slice(CHUNKS / 3);
  // Some pieces of work always come between two interruptions.
  const undisturbed = times.toSorted((a, b) => a - b)[Math.floor(times.length / 10)]!;
  const reference = Math.min(undisturbed, REFERENCE_MS);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return Math.max(1, mean / reference);
}

/**
 * How long something would have taken on the reference machine while nobody else uses it. Looks at the machine only where
 * it took longer than it may.
 */
export const undisturbed = (timeMs: number, boundMs: number): number =>
  timeMs < boundMs ? timeMs : timeMs / slowness();

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

/** How many times something is tried that takes too long. */
const ATTEMPTS = 6;

/** By how much longer the pause before each attempt is than the one before: what others do to a machine may last. */
const PAUSE_MS = 500;

/**
 * How long something takes on the reference machine while nobody else uses it, in milliseconds: the
 * shortest of several attempts, where it takes longer than it may. What others do, or a collection of
 * garbage, falls into an attempt, and not into each; what is slow by itself is slow in all of them.
 */
export async function leastOf(
  boundMs: number,
  measure: () => number | Promise<number>,
): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least >= boundMs; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, attempt * PAUSE_MS));
    const timeMs = await measure();
    // Looks at the machine only where it took longer than it may.
    least = Math.min(least, timeMs < boundMs ? timeMs : timeMs / slowness());
  }
  return least;
}

/**
 * What comes of something that gives up when it takes too long: of the first attempt that is as wanted,
 * else of the last. On a busy machine the first may not be in time.
 */
export async function inTime<Result>(
  attempt: () => Promise<Result>,
  isWanted: (result: Result) => boolean,
): Promise<Result> {
  let result = await attempt();
  for (let more = 1; more < ATTEMPTS && !isWanted(result); more += 1) {
    await new Promise((resolve) => setTimeout(resolve, more * PAUSE_MS));
    result = await attempt();
  }
  return result;
}

/** The same of the time from the call of `work` until it is done. */
export const leastTime = (boundMs: number, work: () => unknown): Promise<number> =>
  leastOf(boundMs, async () => {
    const start = performance.now();
    const done = work();
    // What is not asynchronous is over here, and what waits in line is not a part of it.
    if (done instanceof Promise) await done;
    return performance.now() - start;
  });

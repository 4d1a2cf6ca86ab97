import { longestTaskMs, threadTimeMs } from '../scenarios/browser.js';
import { frames } from './within.js';

/** How long the reference work takes on the machine that the bounds are meant for, in milliseconds. */
const REFERENCE_MS = 20;

/** Some work that takes as long each time. */
function reference(): void {
  let sum = 0;
  for (let index = 0; index < 6_000_000; index += 1) sum = (sum * 31 + index) % 1_000_003;
  // Nothing optimises away what is looked at.
  if (sum < 0) throw new Error('It is never negative.');
}

/** How many times longer its work takes the processor than that of the reference machine, at least 1. */
async function slowness(): Promise<number> {
  const timeMs = (await threadTimeOf(reference)) ?? 0;
  return Math.max(1, timeMs / REFERENCE_MS);
}

async function threadTimeOf(work: () => unknown): Promise<number | undefined> {
  const before = await threadTimeMs();
  await work();
  const after = await threadTimeMs();
  return before === undefined || after === undefined ? undefined : after - before;
}

async function clockTimeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  const done = work();
  // What is not asynchronous is over here, and what waits in line is not a part of it.
  if (done instanceof Promise) await done;
  return performance.now() - start;
}

/** The longest task while something is done; 0 for none of 50 ms. Only Chromium reports tasks. */
async function longestClockTaskOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  // Entries arrive late: one of a task before this work must not count.
  const startMs = performance.now();
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      if (startTime >= startMs) longest = Math.max(longest, duration);
  });
  observer.observe({ type: 'longtask' });
  await work();
  await frames(3);
  observer.disconnect();
  return longest;
}

/**
 * A time on the reference machine, in milliseconds. Others on this machine can make it longer by the clock:
 * where that says that it took too long, it is done again, and the time that the processor was this
 * page's counts. Where the browser does not say that, nobody knows: then it is 0.
 */
async function leastOf(
  boundMs: number,
  byClock: () => Promise<number>,
  byThread: () => Promise<number | undefined>,
): Promise<number> {
  const clockMs = await byClock();
  if (clockMs < boundMs) return clockMs;
  // Twice: a collection of garbage may fall into one.
  const times = [(await byThread()) ?? 0, (await byThread()) ?? 0];
  return Math.min(...times) / (await slowness());
}

/** How long something takes this page on the reference machine, in milliseconds. */
export const leastTime = (boundMs: number, work: () => unknown): Promise<number> =>
  leastOf(
    boundMs,
    () => clockTimeOf(work),
    () => threadTimeOf(work),
  );

/** How long the longest task is while something is done, of the same machine. */
export const leastBlocking = (boundMs: number, work: () => Promise<unknown>): Promise<number> =>
  leastOf(
    boundMs,
    () => longestClockTaskOf(work),
    () => longestTaskMs(work),
  );

import { leastOf } from './slowness.js';

/** Waits until the page was drawn so many times. */
export async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
}

/** The longest task while something is done, in milliseconds; 0 for none of 50 ms. Only Chromium reports tasks. */
async function longestTaskOf(work: () => Promise<unknown>): Promise<number> {
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
 * The longest task while something is done, in milliseconds, as on a machine that nobody else uses. Work
 * with a longer one than it may have is repeated.
 */
export const leastBlocking = (boundMs: number, work: () => Promise<unknown>): Promise<number> =>
  leastOf(boundMs, () => longestTaskOf(work));

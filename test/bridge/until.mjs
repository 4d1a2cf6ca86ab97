// The waits of the bridge's tests: each has an end, and says what did not come.
import { setTimeout as delay } from 'node:timers/promises';

/** How long anything may take on a machine that is busy with others, in ms. */
const PATIENCE_MS = 30_000;

/** Settles as a promise does; rejects if it takes too long. @template T @param {string} what @param {Promise<T>} promise */
export async function within(what, promise, patienceMs = PATIENCE_MS) {
  const settled = new AbortController();
  const { signal } = settled;
  const late = delay(patienceMs, undefined, { signal }).then(() => {
    throw new Error(`Not within ${patienceMs / 1_000} s: ${what}`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    settled.abort();
    await late.catch(() => {});
  }
}

/** Resolves with the first value that is truthy. @template T @param {string} what @param {() => T | Promise<T>} look */
export async function until(what, look, patienceMs = PATIENCE_MS) {
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs; await delay(10)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`Not within ${patienceMs / 1_000} s: ${what}`);
}

// Which task kept the main thread of a page longest, by the browser's own trace.

/** @typedef {import('./renderers.mjs').Page} Page */

/**
 * What the trace says of something that a thread did. Times are in microseconds.
 * @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, tdur?: number }} TraceEvent
 */

const CATEGORIES = ['toplevel', 'disabled-by-default-devtools.timeline', 'blink.user_timing'];

/** The page whose test has started a trace and not ended it: a browser has one at a time. */
let traced = /** @type {Page | undefined} */ (undefined);

/**
 * Ends the trace of a test that has run out of time.
 * @param {Page} page
 */
export async function startTrace(page) {
  await traced?.tracing.stop();
  traced = page;
  await page.tracing.start({ categories: CATEGORIES });
}

/**
 * How long the longest task since then took, in milliseconds of the thread's own time, which does
 * not pass while other processes have the processor.
 * @param {Page} page
 * @param {string} mark what the page has marked by `performance.mark` at the beginning
 * @returns {Promise<number>}
 */
export async function stopTrace(page, mark) {
  traced = undefined;
  const trace = await page.tracing.stop();
  /** @type {{ traceEvents: TraceEvent[] }} */
  const { traceEvents } = JSON.parse(Buffer.from(trace ?? []).toString());
  const begin = traceEvents.find(({ name }) => name === mark);
  if (!begin) throw new Error(`The trace has no mark ${mark}.`);
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid, ts }) =>
      /RunTask$/.test(name) &&
      ph === 'X' &&
      pid === begin.pid &&
      tid === begin.tid &&
      ts >= begin.ts,
  );
  if (tasks.length === 0) throw new Error('The trace has no tasks.');
  return Math.max(...tasks.map(({ tdur = Infinity }) => tdur)) / 1000;
}

// How long the main thread of a page is kept at a time, by the browser's own trace.

/** @typedef {import('playwright-core').Page} Page */

/**
 * What the trace says of something that a thread did. Times are in microseconds: `dur` is how long it took,
 * `tdur` how long of that the thread had the processor, which Chromium leaves out of some.
 * @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number }} TraceEvent
 */

const CATEGORIES = ['toplevel', 'blink.user_timing'];

/**
 * The longest task of the page's main thread while something is done, in milliseconds of its own
 * processor time: a busy machine does not make it longer.
 * @param {Page} page in a browser of its own, of which a trace shows everything
 * @param {() => Promise<unknown>} work
 */
export async function longestTask(page, work) {
  const session = await page.context().newCDPSession(page);
  const events = /** @type {TraceEvent[]} */ ([]);
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(.../** @type {TraceEvent[]} */ (/** @type {unknown} */ (value)));
  });
  const traceConfig = { includedCategories: CATEGORIES, excludedCategories: ['*'] };
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  const mark = crypto.randomUUID();
  await page.evaluate((name) => void performance.mark(name), mark);
  await work();
  const complete = new Promise((resolve) => {
    session.once('Tracing.tracingComplete', resolve);
  });
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  return longestOf(events, mark);
}

/**
 * @param {TraceEvent[]} events
 * @param {string} mark what the page's main thread has marked at the beginning
 */
function longestOf(events, mark) {
  const begin = events.find(({ name }) => name === mark);
  if (!begin) throw new Error(`The trace has no mark ${mark}.`);
  const tasks = events.filter(
    ({ name, ph, pid, tid, ts }) =>
      name.endsWith('RunTask') &&
      ph === 'X' &&
      pid === begin.pid &&
      tid === begin.tid &&
      ts >= begin.ts,
  );
  if (tasks.length === 0) throw new Error('The trace has no tasks.');
  return Math.max(...tasks.map(({ dur = Infinity, tdur = dur }) => tdur)) / 1000;
}

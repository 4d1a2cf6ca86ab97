// Traces of Chromium: the activities of its threads, and their processor time.
/**
 * @typedef {import('./renderers.mjs').Browser} Browser
 * @typedef {object} TraceEvent times are in microseconds: `tdur` is the processor time of the thread
 * @property {string} name
 * @property {number} pid
 * @property {number} tid
 * @property {number} ts
 * @property {number} [dur]
 * @property {number} [tdur]
 */

/** The last trace: a browser records one at a time. @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Records all pages while a function runs, after the traces that were requested before.
 * @param {Browser} browser
 * @param {string[]} categories
 * @param {() => Promise<unknown>} work
 * @returns {Promise<TraceEvent[]>}
 */
export function trace(browser, categories, work) {
  const events = last.then(() => traceNow(browser, categories, work));
  last = events.catch(() => undefined);
  return events;
}

/**
 * @param {Browser} browser
 * @param {string[]} includedCategories
 * @param {() => Promise<unknown>} work
 */
async function traceNow(browser, includedCategories, work) {
  const session = await browser.target().createCDPSession();
  /** @type {TraceEvent[]} */
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(.../** @type {any} */ (value)));
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  const traceConfig = { includedCategories, excludedCategories: ['*'] };
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  try {
    await work();
  } finally {
    await session.send('Tracing.end');
    await complete;
    await session.detach();
  }
  return events;
}

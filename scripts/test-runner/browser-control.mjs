// The operations that tests may run on their browser: open and leave tabs, freeze, stop and crash them. Tests
// call it through test/scenarios/browser.ts.
import { closeServer, closeServers, openServer } from './closable-server.mjs';
import { heldFile, holdFile } from '../../test/support/held-files.mjs';
import { crash, goOn, goOnAll, stop } from './renderers.mjs';
import { trace } from './tracing.mjs';

/**
 * @typedef {import('./renderers.mjs').Page} Page
 * @typedef {import('./renderers.mjs').Browser} Browser
 * @typedef {{ [name: string]: (payload: any, page: Page) => unknown }} Operations
 */

/** @type {Map<number, Page>} */
const tabs = new Map();
let lastTab = 0;

/**
 * The operations that take longer than the runner waits for an answer.
 * @type {Map<number, Promise<object>>}
 */
const unfinished = new Map();
let lastUnfinished = 0;

/** The time for an answer: less than the 20 seconds that the runner waits. */
const ANSWER_MS = 10_000;

/** The session that forces the colours of a page. @type {WeakMap<Page, { detach(): Promise<void> }>} */
const forced = new WeakMap();

/** The session that counts the time of a page. @type {WeakMap<Page, import('./renderers.mjs').Session>} */
const clocks = new WeakMap();

/** The trace that a page has asked for. @type {WeakMap<Page, { end(): void, events: ReturnType<typeof trace> }>} */
const traces = new WeakMap();

/** The open dialog of a tab. @type {Map<number, { accept(): Promise<void> }>} */
const dialogs = new Map();

/** @param {{ tab: number }} payload */
function tabOf({ tab }) {
  const page = tabs.get(tab);
  if (!page) throw new Error(`There is no tab ${tab}.`);
  return page;
}

/**
 * A session of the DevTools protocol. Firefox has none, and WebKit not even the method.
 * @param {Page} page
 */
const sessionOf = async (page) => await page.createCDPSession?.().catch(() => undefined);

/** @type {Operations} */
const operations = {
  async open({ url }, testPage) {
    // The tab opens in a separate window, because it would otherwise hide the test page.
    const page = await testPage.browserContext().newPage({ type: 'window' });
    // The number is taken now, because another test may open a tab before this one has loaded.
    const tab = (lastTab += 1);
    tabs.set(tab, page);
    await page.goto(url);
    return tab;
  },
  // Calls a function of the object `scenario` that a module exports, in the page.
  call: (payload) =>
    tabOf(payload).evaluate(async ({ module, name, args }) => {
      const { scenario } = await import(module);
      return await scenario[name](...args);
    }, payload),
  async goto({ tab, url }) {
    await tabOf({ tab }).goto(url);
  },
  // Resolves with the reason why the page did not come from the back/forward cache; only Chromium reports it.
  async back({ tab }) {
    const page = tabOf({ tab });
    const session = await sessionOf(page);
    /** @type {string[]} */
    const reasons = [];
    session?.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => {
      for (const { reason } of notRestoredExplanations) reasons.push(reason);
    });
    await session?.send('Page.enable');
    await page.goBack();
    await session?.detach();
    return reasons;
  },
  async lifecycle({ tab, state }) {
    const session = await tabOf({ tab }).createCDPSession();
    await session.send('Page.setWebLifecycleState', { state });
    await session.detach();
  },
  // Limits the free room of a tab's origin, as long as the tab is open.
  async limitRoom({ tab, bytes }) {
    const page = tabOf({ tab });
    // The session is not detached, because the limit would end with it.
    const session = await page.createCDPSession();
    const { origin } = new URL(page.url());
    const { usage } = await session.send('Storage.getUsageAndQuota', { origin });
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + bytes });
  },
  // Shows a dialog, which blocks the main thread of the page until it is closed.
  async showDialog({ tab }) {
    const page = tabOf({ tab });
    /** @type {Promise<{ accept(): Promise<void> }>} */
    const shown = new Promise((resolve) => {
      page.once('dialog', resolve);
    });
    page.evaluate(() => alert('Wait.')).catch(() => undefined);
    dialogs.set(tab, await shown);
  },
  async closeDialog({ tab }) {
    await dialogs.get(tab)?.accept();
    dialogs.delete(tab);
  },
  async close({ tab }) {
    await tabOf({ tab }).close();
    tabs.delete(tab);
  },
  crash: ({ url }, testPage) => crash(testPage.browser(), url),
  stop: ({ url }, testPage) => stop(testPage.browser(), url),
  goOn: ({ pid }) => goOn(pid),
  // The memory that the test's own page uses after a garbage collection.
  async heap(_payload, testPage) {
    const session = await sessionOf(testPage);
    if (!session) return undefined;
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    await session.detach();
    return usedSize;
  },
  // The time for which the main thread of the test's own page has used the processor so far, in milliseconds.
  async threadTime(_payload, testPage) {
    // The time counts from the beginning of the session.
    const session = clocks.get(testPage) ?? (await sessionOf(testPage));
    if (!session) return undefined;
    if (!clocks.has(testPage))
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    clocks.set(testPage, session);
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? NaN);
  },
  // Records the tasks of all pages until `longestTask`; resolves with whether the browser supports this.
  async recordTasks(_payload, testPage) {
    const session = await sessionOf(testPage);
    await session?.detach();
    if (!session) return false;
    await new Promise((begun, fail) => {
      const untilEnd = () =>
        new Promise((end) => {
          traces.set(testPage, { end: () => end(undefined), events });
          begun(undefined);
        });
      const events = trace(testPage.browser(), ['toplevel', 'blink.user_timing'], untilEnd);
      events.catch(fail);
    });
    return true;
  },
  // The processor time of the longest task of the thread that has set a mark, in milliseconds.
  async longestTask({ mark }, testPage) {
    traces.get(testPage)?.end();
    const events = (await traces.get(testPage)?.events) ?? [];
    const { pid, tid, ts = 0 } = events.find(({ name }) => name === mark) ?? {};
    const tasks = events.filter(
      (event) =>
        event.name.endsWith('RunTask') && event.pid === pid && event.tid === tid && event.ts >= ts,
    );
    if (tasks.length === 0) throw new Error('The trace has no tasks.');
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
  },
  // Draws the test's own page with the colours of the system, as in high contrast, or again without.
  async forceColors({ isOn }, testPage) {
    const session = await sessionOf(testPage);
    const features = [{ name: 'forced-colors', value: 'active' }];
    // The colours end with their session.
    await forced.get(testPage)?.detach();
    forced.delete(testPage);
    if (!session || !isOn) return;
    forced.set(testPage, session);
    await session.send('Emulation.setEmulatedMedia', { features });
  },
  closeServer: ({ port }) => closeServer(port),
  holdFile: ({ source }) => holdFile(source),
  whenFileRequested: ({ file, times }) => heldFile(file).requested(times),
  letFileGo: ({ file }) => heldFile(file).letGo(),
  breakFileOff: ({ file }) => heldFile(file).breakOff(),
  fileRequests: ({ file }) => heldFile(file).requests,
};

/**
 * The result of an operation, or after some time the number with which to ask for it again, as `unfinished`.
 * @param {Promise<object>} answer
 * @param {number} number
 */
async function answerInTime(answer, number) {
  unfinished.set(number, answer);
  let isLate = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      // The next request for it gets the failure.
      answer.catch(() => undefined);
      resolve({ unfinished: number });
    }, ANSWER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    if (!isLate) unfinished.delete(number);
  }
}

/**
 * The plugin for @web/test-runner. Its one command is `browser-control`; the payload's `does` names
 * an operation.
 * @returns {import('@web/test-runner').TestRunnerPlugin}
 */
export function browserControl() {
  return {
    name: 'browser-control',
    serverStart({ app }) {
      operations['openServer'] = ({ cacheControl }) => openServer(app.callback(), cacheControl);
    },
    async executeCommand({ command, payload, session }) {
      if (command !== 'browser-control') return undefined;
      const { does, ...rest } = payload;
      const going = unfinished.get(rest.unfinished);
      if (going) return await answerInTime(going, rest.unfinished);
      const operation = operations[does];
      if (!operation) throw new Error(`There is no operation ${does}.`);
      const { browser, id } = session;
      const launcher = /** @type {import('@web/test-runner-chrome').ChromeLauncher} */ (browser);
      // A result of `undefined` would count as an unknown command.
      const answer = async () => ({ value: await operation(rest, launcher.getPage(id)) });
      return await answerInTime(answer(), (lastUnfinished += 1));
    },
    async serverStop() {
      goOnAll();
      await closeServers();
    },
  };
}

// Ends and stops the renderer processes of frames and pages, over the DevTools protocol.
import { trace } from './tracing.mjs';

/**
 * @typedef {ReturnType<import('@web/test-runner-chrome').ChromeLauncher['getPage']>} Page
 * @typedef {ReturnType<Page['browser']>} Browser
 * @typedef {Awaited<ReturnType<Page['createCDPSession']>>} Session
 */

/** The processes that were stopped and not continued yet. @type {Set<number>} */
const stopped = new Set();

/**
 * Runs something with a session of the page or frame of another process that has this address.
 * @template Value
 * @param {Browser} browser
 * @param {string} url
 * @param {(session: Session) => Promise<Value>} run
 */
async function withTarget(browser, url, run) {
  const root = await browser.target().createCDPSession();
  try {
    const { targetInfos } = await root.send('Target.getTargets');
    const found = targetInfos.find((target) => target.url === url);
    if (!found) throw new Error(`There is no page and no frame of another process at ${url}.`);
    const { targetId } = found;
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const session = root.connection()?.session(sessionId);
    if (!session) throw new Error(`The target at ${url} was gone before it was attached to.`);
    return await run(session);
  } finally {
    await root.detach();
  }
}

/**
 * Crashes the renderer, as a fault in it would.
 * @param {Browser} browser
 * @param {string} url
 */
export async function crash(browser, url) {
  await withTarget(browser, url, async (session) => {
    const crashed = new Promise((resolve) => session.once('Inspector.targetCrashed', resolve));
    await session.send('Inspector.enable');
    // The command is never answered.
    session.send('Page.crash').catch(() => undefined);
    await crashed;
  });
}

/**
 * Stops the renderer: its process exists, but does nothing.
 * @param {Browser} browser
 * @param {string} url
 * @returns {Promise<number>} the id of its process, to be continued
 */
export async function stop(browser, url) {
  const pid = await processOf(browser, url);
  stopped.add(pid);
  process.kill(pid, 'SIGSTOP');
  return pid;
}

/** @param {number} pid the result of `stop` */
export function goOn(pid) {
  if (!stopped.delete(pid)) return;
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // The browser has ended the process since.
  }
}

/** Continues all stopped processes, for a run that breaks off: a browser that is closed waits for them. */
export function goOnAll() {
  for (const pid of stopped) goOn(pid);
}

/**
 * The protocol does not report the process of a target, but each entry of a trace has one: so the target is
 * made to write an entry.
 * @param {Browser} browser
 * @param {string} url
 */
async function processOf(browser, url) {
  const mark = `process-of-${crypto.randomUUID()}`;
  const expression = `performance.mark(${JSON.stringify(mark)})`;
  const events = await trace(browser, ['blink.user_timing'], () =>
    withTarget(browser, url, (session) => session.send('Runtime.evaluate', { expression })),
  );
  const pid = events.find(({ name }) => name === mark)?.pid;
  if (pid === undefined) throw new Error(`The process of ${url} was not found.`);
  return pid;
}

// A page, or its dedicated worker, over the DevTools protocol: facts that no script inside could report.

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {(method: string, params?: object) => Promise<any>} Send
 */

/** One thread of a page. */
export class DevToolsThread {
  #send;

  /** @param {Send} send */
  constructor(send) {
    this.#send = send;
  }

  /**
   * The page's own thread.
   * @param {Page} page
   */
  static async ofPage(page) {
    const session = await page.context().newCDPSession(page);
    return new DevToolsThread((method, params) =>
      session.send(/** @type {'Runtime.enable'} */ (method), params),
    );
  }

  /**
   * The dedicated workers that the page starts from now on, in their order: the array grows. Those
   * that have died stay in it, and their calls reject.
   * @param {Page} page
   * @returns {Promise<DevToolsThread[]>}
   */
  static async ofWorkers(page) {
    const session = await page.context().newCDPSession(page);
    /** @type {DevToolsThread[]} */
    const workers = [];
    session.on('Target.attachedToTarget', ({ sessionId }) => {
      workers.push(threadWithin(session, sessionId));
    });
    // The sessions are not flat, because a session of Playwright cannot send messages for another one.
    const options = { autoAttach: true, waitForDebuggerOnStart: false, flatten: false };
    await session.send('Target.setAutoAttach', options);
    return workers;
  }

  /**
   * The value of an expression, which must be a string.
   * @param {string} expression
   * @returns {Promise<string>}
   */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', { expression });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
    return result.value;
  }

  /**
   * The memory in use after a garbage collection, in bytes: objects, and the contents of array buffers.
   * @returns {Promise<number>}
   */
  async usedBytes() {
    // The console would keep the logged values.
    await this.#send('Runtime.discardConsoleEntries');
    // A collection frees the objects that the previous one has finalised.
    for (let times = 0; times < 3; times += 1) await this.#send('HeapProfiler.collectGarbage');
    return await this.heldBytes();
  }

  /**
   * The memory in use now, including garbage, in bytes.
   * @returns {Promise<number>}
   */
  async heldBytes() {
    const { usedSize, backingStorageSize = 0 } = await this.#send('Runtime.getHeapUsage');
    return usedSize + backingStorageSize;
  }
}

/**
 * @param {import('playwright-core').CDPSession} session
 * @param {string} sessionId
 */
function threadWithin(session, sessionId) {
  /** @type {Map<number, (answer: any) => void>} */
  const waiting = new Map();
  let calls = 0;
  const gone = new Promise((settle) => {
    session.on('Target.detachedFromTarget', ({ sessionId: from }) => {
      if (from === sessionId) settle({ error: { message: 'the worker has died' } });
    });
  });
  session.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
    const answer = JSON.parse(message);
    if (from === sessionId) waiting.get(answer.id)?.(answer);
  });
  return new DevToolsThread(async (method, params = {}) => {
    const id = (calls += 1);
    const answered = new Promise((settle) => waiting.set(id, settle));
    const message = JSON.stringify({ id, method, params });
    await session.send('Target.sendMessageToTarget', { sessionId, message });
    const { result, error } = await Promise.race([answered, gone]);
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  });
}

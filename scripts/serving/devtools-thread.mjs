// A page, or its dedicated worker, over the DevTools protocol: what no script inside could report.

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
    // Not flat: a session of playwright's cannot speak in the name of another.
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
   * What is in use after everything was thrown away that nobody holds, in bytes: objects, and the
   * contents of array buffers.
   * @returns {Promise<number>}
   */
  async usedBytes() {
    // The console keeps what was logged.
    await this.#send('Runtime.discardConsoleEntries');
    // What one collection finalises, the next one frees.
    for (let times = 0; times < 3; times += 1) await this.#send('HeapProfiler.collectGarbage');
    return await this.heldBytes();
  }

  /**
   * What is in use at the moment, what nobody holds any more included, in bytes.
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

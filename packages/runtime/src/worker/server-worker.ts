import type {
  Confirm,
  Control,
  Outcome,
  PageEnd,
  ProvidedDescription,
  ReadProvided,
  ServedPortOptions,
  StartOptions,
  WorkerReport,
} from '@inpage-mcp/server/control-plane';
import { canHoldLiveness, plainCopy, postPlain, whenGone } from '@inpage-mcp/transport/ports';
import { proxy, transfer, wrap, type Endpoint, type Remote } from 'comlink';
import { cacheMethods } from './cache-methods.js';
import { loadModule } from './load-module.js';
import { NO_ANSWER_HINT, silentError, startError } from './make-worker.js';
import { isOfOtherBuild, outdatedError } from './outdated.js';
import { PendingConfirms } from './pending-confirms.js';
import { RuntimeError, throwSendingError, type RuntimeErrorCode } from './runtime-error.js';
import type { Death, StartProgress } from './runtime-events.js';
import { ServedConnection } from './served-connection.js';

/**
 * The timeout of a worker's answer after its first message. Before that message, its script is loading, which
 * has no time limit. The timeout does not apply to opening the database either: see the store.
 */
const START_TIMEOUT_MS = 15_000;

/** The time without a first message after which a warning for the developer is logged. */
const HINT_MS = 10_000;

/**
 * The interval of the pings in a context without locks, and the number of unanswered pings after which the
 * worker counts as dead.
 */
const PING_MS = 3_000;
const MAX_UNANSWERED = 4;

/** The reports that {@link ServerWorker} does not handle itself. */
export type PassedReport = Exclude<WorkerReport, { type: 'opening' | 'connection-closed' }>;

/** Receives the reports and events of a worker. */
export interface WorkerListener {
  /** Asks the page's user; `undefined` if the user cannot be asked. */
  confirm: Confirm | undefined;
  report(report: PassedReport): void;
  /** Receives the progress of the start. */
  onprogress(progress: StartProgress): void;
  /** Receives uncaught errors of the running worker, which continues. */
  onerror(event: ErrorEvent): void;
  /**
   * Returns the reason for pending calls to reject with. Called at most once, also during the
   * start.
   */
  ondeath(death: Death): RuntimeError;
}

/**
 * One worker, called over comlink. If the worker dies, comlink alone would never settle its calls;
 * here every call settles, with the worker's outcome or with the reason why the worker ended.
 */
export class ServerWorker {
  readonly #worker: Worker;
  readonly #control: Remote<Control>;
  readonly #listener: WorkerListener;
  /** The functions that reject the pending calls. */
  readonly #pendingCalls = new Set<(reason: RuntimeError) => void>();
  readonly #connections = new Map<number, ServedConnection>();
  /**
   * The connections that were reported as closed before `servePort` resolved, because the order of the two
   * messages is not guaranteed.
   */
  readonly #closedEarly = new Set<number>();
  readonly #ending = new AbortController();
  #isOpening = false;

  constructor(worker: Worker, listener: WorkerListener) {
    this.#worker = worker;
    this.#control = cacheMethods(wrap<Control>(endpointOf(worker)));
    this.#listener = listener;
  }

  /**
   * Waits until the worker has opened the database, and then monitors it.
   *
   * @throws {RuntimeError} `worker-failed` on the worker's `error` event, or if it does not answer
   *   within {@link START_TIMEOUT_MS} of its first message; `worker-outdated` if that message names
   *   another build than the page's; the store's code if the database cannot
   *   be opened.
   */
  async start(options: StartOptions): Promise<void> {
    const onError = (event: ErrorEvent): void => {
      // The caller gets the error; without this call, it would also be an uncaught error of the page.
      event.preventDefault();
      this.terminate(startError(event.message));
    };
    this.#worker.addEventListener('error', onError);
    const livenessLock = canHoldLiveness() && `inpage-mcp-worker-${crypto.randomUUID()}`;
    const { confirm } = this.#listener;
    const questions = new PendingConfirms(confirm ?? (() => false));
    this.#ending.signal.addEventListener('abort', () => questions.withdrawAll());
    const page: PageEnd = {
      confirm: (request, question) => questions.ask(request, question),
      withdraw: (question) => questions.withdraw(question),
      parseYaml: async (texts) =>
        (await loadModule(() => import('./parse-yaml.js'))).parseYaml(texts),
      ignored: async (patterns, paths) =>
        (await loadModule(() => import('./ignored-paths.js'))).ignoredPaths(patterns, paths),
      report: (report) => this.#report(report),
    };
    try {
      const confirms = confirm !== undefined;
      this.#listener.onprogress({ state: 'loading', done: 0, total: 0 });
      // This call is sent before the script runs, so that the database is opened as soon as it does.
      const starting = this.call((control) => control.start({ ...options, confirms }, proxy(page)));
      starting.catch(() => undefined);
      const holdsLock = await this.#live(livenessLock || undefined);
      this.#watchLife(holdsLock && livenessLock);
      this.#reportOpening();
      // The worker first upgrades a database of an earlier version, which has no time limit.
      await starting;
    } finally {
      this.#worker.removeEventListener('error', onError);
    }
    this.#watchErrors();
  }

  /** Waits for the script without a time limit, and then for an answer with one. */
  async #live(livenessLock: string | undefined): Promise<boolean> {
    // A module runs only after all its imports are loaded, so silence does not prove a failure.
    let timer = setTimeout(
      () => console.warn(`inpage-mcp: the worker's script is still loading. ${NO_ANSWER_HINT}`),
      HINT_MS,
    );
    const onFirstMessage = ({ data }: MessageEvent): void => {
      clearTimeout(timer);
      if (isOfOtherBuild(data)) return this.terminate(outdatedError('worker-outdated'));
      timer = setTimeout(() => this.terminate(silentError(START_TIMEOUT_MS)), START_TIMEOUT_MS);
    };
    this.#worker.addEventListener('message', onFirstMessage, { once: true });
    try {
      return await this.call((control) => control.live(livenessLock));
    } finally {
      this.#worker.removeEventListener('message', onFirstMessage);
      clearTimeout(timer);
    }
  }

  /**
   * Calls the worker.
   *
   * @throws {RuntimeError} the worker's error, or the reason why the worker ended.
   */
  async call<Value>(run: (control: Remote<Control>) => Promise<Outcome<Value>>): Promise<Value> {
    this.#ending.signal.throwIfAborted();
    let fail!: (reason: RuntimeError) => void;
    // One promise per call: reactions on a shared, long-lived promise would never be freed.
    const ended = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    this.#pendingCalls.add(fail);
    try {
      const outcome = await Promise.race([run(this.#control), ended]).catch(throwSendingError);
      if (outcome.ok) return outcome.value;
      const { code, message, quota } = outcome.error;
      throw new RuntimeError(code as RuntimeErrorCode, message, { quota });
    } finally {
      this.#pendingCalls.delete(fail);
    }
  }

  /** Runs calls with a common time limit; a worker that exceeds it is terminated. */
  async runWithTimeout(
    timeoutMs: number,
    late: RuntimeError,
    run: () => Promise<void>,
  ): Promise<void> {
    const timer = setTimeout(() => this.terminate(late), timeoutMs);
    try {
      await run();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Has the worker serve a resource of the page. Rejects like {@link call}. */
  async provide(description: ProvidedDescription, read: ReadProvided): Promise<void> {
    const readPlain = async () => plainCopy(await read());
    await this.call((control) => control.provide(description, proxy(readPlain)));
  }

  /** Transfers a port, which the worker serves as a connection. Rejects like {@link call}. */
  async servePort(port: MessagePort, options: ServedPortOptions): Promise<ServedConnection> {
    const number = await this.call((control) => control.servePort(transfer(port, [port]), options));
    this.#ending.signal.throwIfAborted();
    const connection = new ServedConnection(this, number);
    if (this.#closedEarly.delete(number)) connection.end('closed');
    else this.#connections.set(number, connection);
    return connection;
  }

  /**
   * Lets the worker close its connections and commit its writes, and then terminates it; after the timeout at
   * the latest. Never rejects.
   *
   * @param reason Calls that are still pending, and later ones, reject with it.
   */
  async close(reason: RuntimeError, timeoutMs: number): Promise<void> {
    try {
      await this.runWithTimeout(timeoutMs, reason, async () => {
        const head = await this.call((control) => control.close());
        if (head) this.#listener.report({ type: 'head', head, isOpened: false });
      });
      // The worker has notified their peers.
      for (const connection of this.#connections.values()) connection.end('closed');
      this.#connections.clear();
    } catch {
      // The worker ended before its answer.
    }
    this.terminate(reason);
  }

  /** Terminates the worker immediately; pending and later calls reject with the reason. */
  terminate(reason: RuntimeError): void {
    if (this.#ending.signal.aborted) return;
    this.#worker.terminate();
    this.#ending.abort(reason);
    for (const fail of this.#pendingCalls) fail(reason);
    for (const connection of this.#connections.values()) connection.end('lost');
    this.#connections.clear();
  }

  /** Terminates the worker immediately, as the page enters the page cache. */
  stopForPageCache(): void {
    this.#die('left');
  }

  #watchErrors(): void {
    const listening = { signal: this.#ending.signal };
    this.#worker.addEventListener('error', (event) => this.#listener.onerror(event), listening);
    this.#worker.addEventListener('messageerror', () => this.#die('messageerror'), listening);
  }

  #watchLife(livenessLock: string | false): void {
    const { signal } = this.#ending;
    if (!livenessLock) return this.#watchByPings();
    // The page and its worker are frozen together, so this lock request does not keep the page out of
    // the back/forward cache.
    whenGone(livenessLock, signal).then(
      () => this.#die('gone'),
      () => signal.aborted || this.#watchByPings(),
    );
  }

  /**
   * Monitors the worker by pings. Counts pings instead of time, because a page that was suspended has sent
   * none.
   */
  #watchByPings(): void {
    let unanswered = 0;
    const timer = setInterval(() => {
      if (unanswered >= MAX_UNANSWERED) return this.#die('silent');
      unanswered += 1;
      this.call((control) => control.ping()).then(
        () => (unanswered = 0),
        () => undefined,
      );
    }, PING_MS);
    this.#ending.signal.addEventListener('abort', () => clearInterval(timer));
  }

  #die(death: Death): void {
    if (!this.#ending.signal.aborted) this.terminate(this.#listener.ondeath(death));
  }

  #report(report: WorkerReport): void {
    // Reports that the worker sent before it was terminated may arrive late.
    if (this.#ending.signal.aborted) return;
    if (report.type === 'connection-closed') this.#forget(report.connection);
    else if (report.type === 'opening') {
      this.#reportOpening();
      this.#listener.onprogress(report.progress);
    } else this.#listener.report(report);
  }

  /**
   * Reports that the database is being opened. Called after the answer to `live`, and for each report of the
   * opening; only the first call counts.
   */
  #reportOpening(): void {
    if (this.#isOpening) return;
    this.#isOpening = true;
    this.#listener.onprogress({ state: 'opening', done: 0, total: 0 });
  }

  #forget(number: number): void {
    const connection = this.#connections.get(number);
    if (!connection) this.#closedEarly.add(number);
    this.#connections.delete(number);
    connection?.end('closed');
  }
}

/**
 * The worker as an endpoint, which also accepts arguments that are proxies, such as the state of frameworks.
 */
function endpointOf(worker: Worker): Endpoint {
  return {
    postMessage: (message, transferred) => postPlain(worker, message, transferred),
    addEventListener: worker.addEventListener.bind(worker),
    removeEventListener: worker.removeEventListener.bind(worker),
  };
}

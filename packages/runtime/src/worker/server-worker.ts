import type {
  Confirm,
  Control,
  Outcome,
  PageEnd,
  ServedPortOptions,
  StartOptions,
  WorkerReport,
} from '@inpage-mcp/server/control-plane';
import { canHoldLiveness, whenGone } from '@inpage-mcp/transport/ports';
import { proxy, transfer, wrap, type Remote } from 'comlink';
import { keepMethods } from './keep-methods.js';
import { SILENCE, silentError, startError } from './make-worker.js';
import { OpenQuestions } from './open-questions.js';
import { RuntimeError, throwSendingError, type RuntimeErrorCode } from './runtime-error.js';
import type { Death, StartProgress } from './runtime-events.js';
import { ServedConnection } from './served-connection.js';

/**
 * How long a worker has to answer, once it has said its first word: until then its script is on the way,
 * which takes as long as the network does. Opening the database may take longer, too: see the store.
 */
const START_TIMEOUT_MS = 15_000;

/** After how long a worker that has not sent a message yet is reported to the developer. */
const HINT_MS = 10_000;

/** Where there are no locks, the worker is pinged so often, and dead when so many pings bring nothing. */
const PING_MS = 3_000;
const MAX_UNANSWERED = 4;

/** What a worker reports to others than {@link ServerWorker}. */
export type PassedReport = Exclude<WorkerReport, { type: 'opening' | 'connection-closed' }>;

/** Who hears of what the worker does of its own accord. */
export interface WorkerListener {
  /** Puts a question to the page's user; undefined where there is nobody to ask. */
  confirm: Confirm | undefined;
  report(report: PassedReport): void;
  /** How far the start is. */
  onprogress(progress: StartProgress): void;
  /** An error of the running worker that nobody caught. It lives on. */
  onerror(event: ErrorEvent): void;
  /** Gives the reason with which calls under way reject. Called at most once, also during the start. */
  ondeath(death: Death): RuntimeError;
}

/**
 * One worker, called over comlink. comlink alone waits for ever when its peer dies; here every
 * call settles: with the worker's outcome, or with the reason for which the worker ended.
 */
export class ServerWorker {
  readonly #worker: Worker;
  readonly #control: Remote<Control>;
  readonly #listener: WorkerListener;
  /** Rejects a call under way. */
  readonly #underWay = new Set<(reason: RuntimeError) => void>();
  readonly #connections = new Map<number, ServedConnection>();
  /** Told as closed before their numbers were: the two ways to here are not in step. */
  readonly #closedEarly = new Set<number>();
  readonly #ending = new AbortController();
  #isOpening = false;

  constructor(worker: Worker, listener: WorkerListener) {
    this.#worker = worker;
    this.#control = keepMethods(wrap<Control>(worker));
    this.#listener = listener;
  }

  /**
   * Waits until the worker has opened the database, and then watches over it.
   *
   * @throws {RuntimeError} `worker-failed` on the worker's `error` event, or where it does not answer
   *   within {@link START_TIMEOUT_MS} of its first word; the store's code when it cannot be opened.
   */
  async start(options: StartOptions): Promise<void> {
    const onError = (event: ErrorEvent): void => {
      // It is told to the caller: without this it would be an uncaught error of the page, too.
      event.preventDefault();
      this.terminate(startError(event.message));
    };
    this.#worker.addEventListener('error', onError);
    const livenessLock = canHoldLiveness() && `inpage-mcp-worker-${crypto.randomUUID()}`;
    const { confirm } = this.#listener;
    const questions = new OpenQuestions(confirm ?? (() => false));
    this.#ending.signal.addEventListener('abort', () => questions.withdrawAll());
    const page: PageEnd = {
      confirm: (request, question) => questions.ask(request, question),
      withdraw: (question) => questions.withdraw(question),
      report: (report) => this.#report(report),
    };
    try {
      const confirms = confirm !== undefined;
      this.#listener.onprogress({ state: 'loading', done: 0, total: 0 });
      // Sent before there is anybody to receive it: the database is opened as soon as the script runs.
      const starting = this.call((control) => control.start({ ...options, confirms }, proxy(page)));
      starting.catch(() => undefined);
      const holdsLock = await this.#live(livenessLock || undefined);
      this.#watchLife(holdsLock && livenessLock);
      this.#tellOpening();
      // A database of an earlier version is brought up to date first, however large it is.
      await starting;
    } finally {
      this.#worker.removeEventListener('error', onError);
    }
    this.#watchErrors();
  }

  /** Waits for the script, however slow the network is, and for a sign of life, but not for long. */
  async #live(livenessLock: string | undefined): Promise<boolean> {
    // A module says nothing before all that it imports is there, so that silence proves nothing.
    let timer = setTimeout(
      () => console.warn(`inpage-mcp: the worker's script is still loading. ${SILENCE}`),
      HINT_MS,
    );
    const onFirstMessage = (): void => {
      clearTimeout(timer);
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

  /** @throws {RuntimeError} what the worker reports, or why it ended. */
  async call<Value>(run: (control: Remote<Control>) => Promise<Outcome<Value>>): Promise<Value> {
    this.#ending.signal.throwIfAborted();
    let fail!: (reason: RuntimeError) => void;
    // One for each call: what waits on a promise that lives on is never let go.
    const ended = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    this.#underWay.add(fail);
    try {
      const outcome = await Promise.race([run(this.#control), ended]).catch(throwSendingError);
      if (outcome.ok) return outcome.value;
      const { code, message, quota } = outcome.error;
      throw new RuntimeError(code as RuntimeErrorCode, message, { quota });
    } finally {
      this.#underWay.delete(fail);
    }
  }

  /** Runs calls that have a time limit together; a worker that takes longer is stopped. */
  async within(timeoutMs: number, late: RuntimeError, run: () => Promise<void>): Promise<void> {
    const timer = setTimeout(() => this.terminate(late), timeoutMs);
    try {
      await run();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Hands a port over, to be served as a connection. Rejects as {@link call} does. */
  async servePort(port: MessagePort, options: ServedPortOptions): Promise<ServedConnection> {
    const number = await this.call((control) => control.servePort(transfer(port, [port]), options));
    this.#ending.signal.throwIfAborted();
    const connection = new ServedConnection(this, number);
    if (this.#closedEarly.delete(number)) connection.end('closed');
    else this.#connections.set(number, connection);
    return connection;
  }

  /**
   * Lets the worker end its connections and commit its writes, and stops it then, or after so many
   * milliseconds. Never rejects.
   *
   * @param reason What calls under way at the end, and later ones, reject with.
   */
  async close(reason: RuntimeError, timeoutMs: number): Promise<void> {
    try {
      await this.within(timeoutMs, reason, async () => {
        const head = await this.call((control) => control.close());
        if (head) this.#listener.report({ type: 'head', head, isOpened: false });
      });
      // Their peers have been told by the worker.
      for (const connection of this.#connections.values()) connection.end('closed');
      this.#connections.clear();
    } catch {
      // It ended sooner.
    }
    this.terminate(reason);
  }

  /** Stops the worker at once; calls under way and later ones reject with the reason. */
  terminate(reason: RuntimeError): void {
    if (this.#ending.signal.aborted) return;
    this.#worker.terminate();
    this.#ending.abort(reason);
    for (const fail of this.#underWay) fail(reason);
    for (const connection of this.#connections.values()) connection.end('lost');
    this.#connections.clear();
  }

  /** Stops the worker at once, as the page is left, and may come back. */
  leave(): void {
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
    // The page and its worker are frozen together, so waiting does not keep the page out of the
    // back/forward cache.
    whenGone(livenessLock, signal).then(
      () => this.#die('gone'),
      () => signal.aborted || this.#watchByPings(),
    );
  }

  /** Pings are counted, and no time is measured: a page that was asleep has sent none. */
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
    // What a worker had to say before it was stopped may come late.
    if (this.#ending.signal.aborted) return;
    if (report.type === 'connection-closed') this.#forget(report.connection);
    else if (report.type === 'opening') {
      this.#tellOpening();
      this.#listener.onprogress(report.progress);
    } else this.#listener.report(report);
  }

  /** The worker's first word, or the first of its opening: whichever the page receives first. */
  #tellOpening(): void {
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

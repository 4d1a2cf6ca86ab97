import type { Confirm, StartOptions } from '@inpage-mcp/server/control-plane';
import { onLeave, untilBack } from './left-page.js';
import { makeWorker } from '../worker/make-worker.js';
import { closedError, isRestarted, restartedError, RuntimeError } from '../worker/runtime-error.js';
import { runtimeEvent, type Death } from '../worker/runtime-events.js';
import { ServerWorker, type PassedReport } from '../worker/server-worker.js';
import type { StorageMarker } from './storage-marker.js';

/** How many workers may take another's place within {@link RESTART_WINDOW_MS}. */
const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;

/** How long to wait after each attempt that failed since the last worker: it times their number. */
const RETRY_DELAY_MS = 1_000;

/** How long a new worker may take to be told what the one before it knew. */
const RESTORE_TIMEOUT_MS = 5_000;

/** How long `close()` waits for the worker before it stops it. */
const CLOSE_TIMEOUT_MS = 2_000;

/** What a supervisor works with. */
export interface SupervisorParts {
  /** Makes the worker. A Worker itself cannot be made again. */
  worker: Worker | (() => Worker);
  /** How each worker is started. */
  options: Omit<StartOptions, 'marker'>;
  /** Where the database stood. */
  marker: StorageMarker;
  confirm: Confirm | undefined;
  /** Hears every event of a runtime. */
  events: EventTarget;
  /** Tells a new worker what the one before it knew. Nothing else is asked of it until then. */
  restore(server: ServerWorker): Promise<void>;
}

/**
 * Sees to it that there is a worker: when one dies, the next takes its place at once, but not more
 * often than {@link MAX_RESTARTS} times within {@link RESTART_WINDOW_MS}.
 */
export class WorkerSupervisor {
  readonly #parts: SupervisorParts;
  readonly #ending = new AbortController();
  /** Aborted when the last worker has gone, which may be a while after the end. */
  readonly #gone = new AbortController();
  /** When workers were made in place of others, within the window. */
  #restarts: number[] = [];
  #restartCount = 0;
  /** The worker that runs, as soon as it does. */
  #server: Promise<ServerWorker>;
  /** The last one made, whether it runs yet or not. */
  #newest: ServerWorker | undefined;
  #isRunning = false;
  /** Settles when the page comes back that was left; absent while it is there. */
  #back: Promise<void> | undefined;
  /** The worker that ended with it. */
  #left: ServerWorker | undefined;
  #closing: Promise<void> | undefined;

  /** Starts the first worker at once; see {@link started}. */
  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    // Another worker is made when the page comes back: where none can be, it has to stay.
    if (typeof parts.worker === 'function') onLeave(() => this.#leave(), this.#gone.signal);
    this.#server = this.#launch();
    this.#server.catch(() => undefined);
  }

  /** Aborted when there will be no worker any more, with the reason that every call rejects with. */
  get ended(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * Resolves when the first worker runs.
   *
   * @throws {RuntimeError} what it could not start for.
   */
  async started(): Promise<void> {
    await this.#server;
  }

  /**
   * Runs something on the worker, once there is one.
   *
   * @throws {RuntimeError} `worker-restarted` when the worker dies under way; or what it rejects with.
   */
  async once<Value>(run: (server: ServerWorker) => Promise<Value>): Promise<Value> {
    return await run(await this.#server);
  }

  /** The same for what may be repeated: if the worker dies, it runs again on the next, but once. */
  async twice<Value>(run: (server: ServerWorker) => Promise<Value>): Promise<Value> {
    return await this.once(run).catch((error: unknown) => {
      if (isRestarted(error)) return this.once(run);
      throw error;
    });
  }

  /** Ends the worker in good order, for good. Settles within {@link CLOSE_TIMEOUT_MS}, and a bit. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Ends the worker at once, for good. What is under way rejects with the reason. */
  end(reason: RuntimeError): void {
    this.#ending.abort(reason);
    this.#newest?.terminate(reason);
    this.#gone.abort();
  }

  async #close(): Promise<void> {
    if (this.ended.aborted) return;
    const reason = closedError();
    this.#ending.abort(reason);
    // From here on nothing new begins.
    this.#server = Promise.reject(reason);
    this.#server.catch(() => undefined);
    if (this.#isRunning) await this.#newest?.close(reason, CLOSE_TIMEOUT_MS);
    else this.#newest?.terminate(reason);
    this.#gone.abort();
  }

  async #launch(): Promise<ServerWorker> {
    const server = new ServerWorker(makeWorker(this.#parts.worker), {
      confirm: this.#parts.confirm,
      report: (report) => this.#report(report),
      onprogress: (progress) =>
        this.#parts.events.dispatchEvent(runtimeEvent('progress', progress)),
      onerror: (event) => this.#onError(event),
      ondeath: (death) => this.#onDeath(death),
    });
    this.#newest = server;
    try {
      // What makes the worker is the app's, and may have closed the runtime.
      this.ended.throwIfAborted();
      const marker = this.#parts.marker.get();
      await server.start({ ...this.#parts.options, ...(marker && { marker }) });
      const late = new RuntimeError('worker-failed', 'The new MCP worker does not answer.');
      await server.within(RESTORE_TIMEOUT_MS, late, () => this.#parts.restore(server));
    } catch (error) {
      server.terminate(restartedError());
      if (this.#left !== server) throw error;
      await this.#back;
      this.ended.throwIfAborted();
      return await this.#launch();
    }
    this.#isRunning = true;
    return server;
  }

  #leave(): void {
    this.#back = untilBack(this.ended).then(() => (this.#back = undefined));
    this.#left = this.#newest;
    this.#newest?.leave();
  }

  #onDeath(death: Death): RuntimeError {
    if (this.ended.aborted) return this.ended.reason as RuntimeError;
    // Its launch fails by this.
    if (!this.#isRunning) return restartedError();
    this.#isRunning = false;
    if (death !== 'left' && !this.#mayRestart()) return this.#fail();
    this.#server = this.#relaunch(death);
    this.#server.catch(() => undefined);
    return restartedError();
  }

  async #relaunch(death: Death): Promise<ServerWorker> {
    let cause: unknown;
    // To be left is no fault of the worker, however often that happens.
    const isFree = (failures: number): boolean => death === 'left' && failures === 0;
    for (let failures = 0; isFree(failures) || this.#mayRestart(); failures += 1) {
      await pause(failures * RETRY_DELAY_MS, this.ended);
      await this.#back;
      this.ended.throwIfAborted();
      if (!isFree(failures)) this.#restarts.push(performance.now());
      try {
        const server = await this.#launch();
        this.#restartCount += 1;
        const members = { count: this.#restartCount, reason: death };
        this.#parts.events.dispatchEvent(runtimeEvent('restart', members));
        return server;
      } catch (error) {
        this.ended.throwIfAborted();
        cause = error;
      }
    }
    throw this.#fail(cause);
  }

  #mayRestart(): boolean {
    const since = performance.now() - RESTART_WINDOW_MS;
    this.#restarts = this.#restarts.filter((time) => time > since);
    return typeof this.#parts.worker === 'function' && this.#restarts.length < MAX_RESTARTS;
  }

  #fail(cause?: unknown): RuntimeError {
    const hint =
      typeof this.#parts.worker === 'function'
        ? `It was replaced ${MAX_RESTARTS} times within ${RESTART_WINDOW_MS / 1000} seconds.`
        : 'It cannot be made again, as `worker` is a Worker and not a function.';
    const why = cause instanceof RuntimeError ? cause.message : 'Reload the page.';
    const text = `The worker of this page died, and no other takes its place. ${why}`;
    const error = new RuntimeError('worker-failed', text, { cause, hint });
    this.end(error);
    this.#parts.events.dispatchEvent(runtimeEvent('failed', { error }));
    return error;
  }

  #report(report: PassedReport): void {
    if (report.type === 'head') return this.#parts.marker.set(report.head, report.isOpened);
    const { type, ...members } = report;
    this.#parts.events.dispatchEvent(runtimeEvent(type, members));
  }

  #onError(event: ErrorEvent): void {
    const errorEvent = runtimeEvent('error', { message: event.message }, { cancelable: true });
    if (!this.#parts.events.dispatchEvent(errorEvent)) event.preventDefault();
  }
}

/** Settles after the time, or as soon as the signal is aborted. Never rejects. */
async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  // The timers of a hidden tab may be a minute late.
  if (delayMs === 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

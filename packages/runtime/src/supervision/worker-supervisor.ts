import type { Confirm, StartOptions } from '@inpage-mcp/server/control-plane';
import { onEnterPageCache, waitForPageShow } from './page-cache.js';
import { isNotLoaded, makeWorker, type WorkerSource } from '../worker/make-worker.js';
import { BUILD_ID, isServerThere, outdatedError, reportOutdated } from '../worker/outdated.js';
import {
  closedError,
  isRestarted,
  printHint,
  restartedError,
  RuntimeError,
} from '../worker/runtime-error.js';
import { runtimeEvent, type Death } from '../worker/runtime-events.js';
import { ServerWorker, type PassedReport } from '../worker/server-worker.js';
import type { StorageMarker } from './storage-marker.js';

/** The maximum number of restarts within {@link RESTART_WINDOW_MS}. */
const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;

/** The delay before a restart, times the number of failed attempts since the last worker. */
const RETRY_DELAY_MS = 1_000;

/** The timeout for restoring the state of the previous worker. */
const RESTORE_TIMEOUT_MS = 5_000;

/** The time that `close()` waits for the worker before it stops it. */
const CLOSE_TIMEOUT_MS = 2_000;

/** The dependencies of a supervisor. */
export interface SupervisorParts {
  /** The source of the worker. If it is a Worker, it cannot be replaced. */
  worker: WorkerSource;
  /** The start options of each worker. */
  options: Omit<StartOptions, 'marker'>;
  /** Keeps the last head of the database. */
  marker: StorageMarker;
  confirm: Confirm | undefined;
  /** Receives every event of a runtime. */
  events: EventTarget;
  /** Restores the state of the previous worker on a new one, before any other call. */
  restore(server: ServerWorker): Promise<void>;
}

/**
 * Keeps a worker running: if it dies, a new one replaces it at once, at most {@link MAX_RESTARTS}
 * times within {@link RESTART_WINDOW_MS}.
 */
export class WorkerSupervisor {
  readonly #parts: SupervisorParts;
  readonly #ending = new AbortController();
  /** Aborts when the last worker has stopped, which may be some time after the end. */
  readonly #gone = new AbortController();
  /** The times of the restarts within the window. */
  #restarts: number[] = [];
  #restartCount = 0;
  /** Resolves with the worker when it runs. */
  #server: Promise<ServerWorker>;
  /** The last worker that was created, even if it does not run yet. */
  #newest: ServerWorker | undefined;
  #isRunning = false;
  /**
   * The wait for the end of the page cache, while the page is in it: resolves when the page leaves the cache.
   */
  #pageShown: Promise<void> | undefined;
  /** The last worker that was stopped because the page entered the cache. */
  #stoppedForCache: ServerWorker | undefined;
  #closing: Promise<void> | undefined;

  /** Starts the first worker immediately; see {@link waitForStart}. */
  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    // The worker is replaced when the page comes back; a worker that cannot be replaced must stay.
    if (typeof parts.worker === 'function')
      onEnterPageCache(() => this.#onEnterPageCache(), this.#gone.signal);
    this.#server = this.#launch();
    this.#server.catch(() => undefined);
  }

  /** Aborts when there will be no further worker, with the reason that every call rejects with. */
  get ended(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * Resolves when the first worker runs.
   *
   * @throws {RuntimeError} The reason why it could not start.
   */
  async waitForStart(): Promise<void> {
    await this.#server;
  }

  /**
   * Calls a function with the worker as soon as it runs.
   *
   * @throws {RuntimeError} `worker-restarted` if the worker dies during the call; or the reason
   *   that the function rejects with.
   */
  async run<Value>(run: (server: ServerWorker) => Promise<Value>): Promise<Value> {
    return await run(await this.#server);
  }

  /** Does the same for a repeatable function: if the worker dies, it is repeated once on the next one. */
  async runWithRetry<Value>(run: (server: ServerWorker) => Promise<Value>): Promise<Value> {
    return await this.run(run).catch((error: unknown) => {
      if (isRestarted(error)) return this.run(run);
      throw error;
    });
  }

  /**
   * Closes the last worker gracefully. Settles shortly after {@link CLOSE_TIMEOUT_MS} at the
   * latest.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Terminates the last worker immediately. Pending calls reject with the reason. */
  end(reason: RuntimeError): void {
    this.#ending.abort(reason);
    this.#newest?.terminate(reason);
    this.#gone.abort();
  }

  async #close(): Promise<void> {
    if (this.ended.aborted) return;
    const reason = closedError();
    this.#ending.abort(reason);
    // New calls reject from now on.
    this.#server = Promise.reject(reason);
    this.#server.catch(() => undefined);
    if (this.#isRunning) await this.#newest?.close(reason, CLOSE_TIMEOUT_MS);
    else this.#newest?.terminate(reason);
    this.#gone.abort();
  }

  /**
   * Creates and starts a worker.
   *
   * @param build The build of this page, if the previous worker was of another build.
   */
  async #launch(build?: string): Promise<ServerWorker> {
    const server = new ServerWorker(makeWorker(this.#parts.worker, build), {
      confirm: this.#parts.confirm,
      report: (report) => this.#report(report),
      onprogress: (progress) =>
        this.#parts.events.dispatchEvent(runtimeEvent('progress', progress)),
      onerror: (event) => this.#onError(event),
      ondeath: (death) => this.#onDeath(death),
    });
    this.#newest = server;
    try {
      // The app's function that makes the worker may have closed the runtime.
      this.ended.throwIfAborted();
      const marker = this.#parts.marker.get();
      await server.start({ ...this.#parts.options, ...(marker && { marker }) });
      const late = new RuntimeError('worker-failed', 'The new MCP worker does not answer.');
      await server.runWithTimeout(RESTORE_TIMEOUT_MS, late, () => this.#parts.restore(server));
    } catch (error) {
      server.terminate(restartedError());
      if (isOutdated(error)) return await this.#askPastCaches(error, build);
      if (this.#stoppedForCache !== server) throw error;
      await this.#pageShown;
      this.ended.throwIfAborted();
      return await this.#launch();
    }
    this.#isRunning = true;
    return server;
  }

  /**
   * Launches a worker of this build, because a cache may have the worker of an earlier build under the same
   * name.
   */
  async #askPastCaches(error: RuntimeError, build: string | undefined): Promise<ServerWorker> {
    if (build || typeof this.#parts.worker !== 'function') throw reportOutdated(error);
    return await this.#launch(BUILD_ID);
  }

  #onEnterPageCache(): void {
    this.#pageShown = waitForPageShow(this.ended).then(() => (this.#pageShown = undefined));
    this.#stoppedForCache = this.#newest;
    this.#newest?.stopForPageCache();
  }

  #onDeath(death: Death): RuntimeError {
    if (this.ended.aborted) return this.ended.reason as RuntimeError;
    // During the launch, this error makes the launch fail.
    if (!this.#isRunning)
      return new RuntimeError('worker-failed', 'The worker of this page died while it started.');
    this.#isRunning = false;
    if (death !== 'left' && !this.#mayRestart()) return this.#fail();
    this.#server = this.#relaunch(death);
    this.#server.catch(() => undefined);
    return restartedError();
  }

  async #relaunch(death: Death): Promise<ServerWorker> {
    let cause: unknown;
    // A stop for the page cache is not a failure of the worker, and does not count as a restart.
    const isFree = (failures: number): boolean => death === 'left' && failures === 0;
    for (let failures = 0; isFree(failures) || this.#mayRestart(); failures += 1) {
      await pause(failures * RETRY_DELAY_MS, this.ended);
      await this.#pageShown;
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
        if (isOutdated(cause)) break;
      }
    }
    if (isNotLoaded(cause) && (await isServerThere()))
      cause = reportOutdated(outdatedError('worker-outdated', cause));
    this.ended.throwIfAborted();
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
        : 'It cannot be replaced, as `worker` is a Worker and not a function.';
    const why = cause instanceof RuntimeError ? cause.message : 'Reload the page.';
    const text = `The worker of this page died and cannot be replaced. ${why}`;
    const error = isOutdated(cause)
      ? cause
      : new RuntimeError('worker-failed', text, { cause, hint });
    this.end(error);
    printHint(error);
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

function isOutdated(error: unknown): error is RuntimeError {
  return error instanceof RuntimeError && error.code === 'worker-outdated';
}

/** Resolves after the delay, or as soon as the signal aborts. Never rejects. */
async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  // Even a zero timer of a hidden tab may be a minute late.
  if (delayMs === 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

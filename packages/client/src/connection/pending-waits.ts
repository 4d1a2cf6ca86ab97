import { ClientError, closedError } from '../api/client-error.js';

/** The conditions that end a wait. */
export interface WaitOptions {
  /** Aborts the wait, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds from the start, and again from each `restart()`; `Infinity` for none. */
  timeoutMs: number;
  /** The start of the timeout's error text, such as `The server did not answer resources/list`. */
  timeoutText: string;
  /** Called on a timeout or abort. */
  ongiveup?: ((reason: unknown) => void) | undefined;
}

/** A pending wait. The code that takes it from the map settles it. */
interface Wait {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** Restarts the timeout. */
  restart(): void;
  /** Clears the timer, and detaches from the signal. */
  stop(): void;
}

/** The maximum delay of a timer; with a longer one, browsers fire it at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * All pending waits of a client. Every wait settles exactly once: by its answer, its timeout, its
 * signal, or the end of the connection.
 */
export class PendingWaits {
  readonly #waits = new Map<unknown, Wait>();
  #isEnded = false;
  #cause: unknown;

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Adds a wait, and resolves or rejects when it is taken and settled.
   *
   * @param begin Called at once, unless the connection has ended or the signal has aborted.
   */
  wait<Value>(
    key: unknown,
    begin: () => void,
    { signal, timeoutMs, timeoutText, ongiveup }: WaitOptions,
  ): Promise<Value> {
    if (this.#isEnded) return Promise.reject(closedError(this.#cause));
    if (signal?.aborted) return Promise.reject(signal.reason as unknown);
    return new Promise<Value>((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const giveUp = (reason: unknown): void => {
        this.take(key);
        ongiveup?.(reason);
        reject(reason);
      };
      const onAbort = (): void => giveUp(signal?.reason);
      const restart = (): void => {
        clearTimeout(timer);
        timer = startTimer(timeoutMs, () => giveUp(timeoutError(timeoutText, timeoutMs)));
      };
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      signal?.addEventListener('abort', onAbort);
      restart();
      const settle = resolve as (value: unknown) => void;
      this.#waits.set(key, { resolve: settle, reject, restart, stop });
      begin();
    });
  }

  /**
   * Waits for the promise of `run`. A result after the end of the wait is ignored.
   *
   * @param run Its signal aborts if the wait fails.
   */
  waitFor<Value>(
    run: (signal: AbortSignal) => Promise<Value>,
    options: WaitOptions,
  ): Promise<Value> {
    const controller = new AbortController();
    const begin = (): void => this.settle(controller, run(controller.signal));
    const result = this.wait<Value>(controller, begin, options);
    result.catch((reason: unknown) => controller.abort(reason));
    return result;
  }

  /** Settles the wait of a key with the result of a promise, if the wait is still pending. */
  settle(key: unknown, promise: Promise<unknown>): void {
    promise.then(
      (value) => this.take(key)?.resolve(value),
      (error: unknown) => this.take(key)?.reject(error),
    );
  }

  /** The wait of a key, if it is still pending. */
  get(key: unknown): Wait | undefined {
    return this.#waits.get(key);
  }

  /** Removes and returns a wait; the caller settles it. */
  take(key: unknown): Wait | undefined {
    const wait = this.#waits.get(key);
    this.#waits.delete(key);
    wait?.stop();
    return wait;
  }

  /**
   * Rejects all waits, and all later ones, with `closed`.
   *
   * @param cause The `cause` of the errors.
   */
  end(cause?: unknown): void {
    this.#isEnded = true;
    this.#cause = cause;
    for (const key of this.#waits.keys()) this.take(key)?.reject(closedError(cause));
  }
}

/** Calls `run` after the delay; with `Infinity`, never. */
export function startTimer(
  delayMs: number,
  run: () => void,
): ReturnType<typeof setTimeout> | undefined {
  return Number.isFinite(delayMs) ? setTimeout(run, Math.min(delayMs, MAX_TIMER_MS)) : undefined;
}

/** @param timeoutText See {@link WaitOptions.timeoutText}. */
export function timeoutError(timeoutText: string, timeoutMs: number): ClientError {
  return new ClientError('timeout', `${timeoutText} within ${timeoutMs} ms.`);
}

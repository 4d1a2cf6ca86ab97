import { ClientError, closedError } from '../api/client-error.js';

/** How long to wait, and who may end it. */
export interface WaitOptions {
  /** Gives up; the wait rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds from the start, and again from each `restart()`; `Infinity` for none. */
  timeoutMs: number;
  /** What a timeout says, up to the time, such as `The server did not answer resources/list`. */
  late: string;
  /** Runs when the wait is given up, for its time or its signal. */
  ongiveup?: ((reason: unknown) => void) | undefined;
}

/** Something that is waited for. Whoever takes it off the list settles it. */
interface Wait {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** Starts the time anew. */
  restart(): void;
  /** Lets go of timer and signal. */
  stop(): void;
}

/** The longest delay of a timer; above it browsers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * All that a client waits for. Every wait settles, and settles once: by its answer, its
 * timeout, its signal, or the end of the connection.
 */
export class Outstanding {
  readonly #waits = new Map<unknown, Wait>();
  #isEnded = false;
  #cause: unknown;

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Waits for the wait of this key to be taken and settled.
   *
   * @param begin Called at once, unless it is too late already.
   */
  wait<Value>(
    key: unknown,
    begin: () => void,
    { signal, timeoutMs, late, ongiveup }: WaitOptions,
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
        timer = startTimer(timeoutMs, () => giveUp(timeoutError(late, timeoutMs)));
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
   * Waits for something that settles by itself. What comes after the end of the wait is ignored.
   *
   * @param run Its signal aborts when nobody waits any more.
   */
  during<Value>(
    run: (signal: AbortSignal) => Promise<Value>,
    options: WaitOptions,
  ): Promise<Value> {
    const over = new AbortController();
    const begin = (): void => this.settle(over, run(over.signal));
    const waiting = this.wait<Value>(over, begin, options);
    waiting.catch((reason: unknown) => over.abort(reason));
    return waiting;
  }

  /** Settles the wait of a key, if it is still there, with what a promise comes to. */
  settle(key: unknown, promise: Promise<unknown>): void {
    promise.then(
      (value) => this.take(key)?.resolve(value),
      (error: unknown) => this.take(key)?.reject(error),
    );
  }

  /** The wait of a key, if it has not settled. */
  get(key: unknown): Wait | undefined {
    return this.#waits.get(key);
  }

  /** Takes a wait off the list, to settle it. */
  take(key: unknown): Wait | undefined {
    const wait = this.#waits.get(key);
    this.#waits.delete(key);
    wait?.stop();
    return wait;
  }

  /**
   * Rejects all, and whatever is still to come, with `closed`.
   *
   * @param cause Goes with the errors.
   */
  end(cause?: unknown): void {
    this.#isEnded = true;
    this.#cause = cause;
    for (const key of this.#waits.keys()) this.take(key)?.reject(closedError(cause));
  }
}

/** Runs something later; `Infinity` is never. */
export function startTimer(
  delayMs: number,
  run: () => void,
): ReturnType<typeof setTimeout> | undefined {
  return Number.isFinite(delayMs) ? setTimeout(run, Math.min(delayMs, MAX_TIMER_MS)) : undefined;
}

/** @param late See {@link WaitOptions.late}. */
export function timeoutError(late: string, timeoutMs: number): ClientError {
  return new ClientError('timeout', `${late} within ${timeoutMs} ms.`);
}

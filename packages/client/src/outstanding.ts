import { ClientError, closedError } from './client-error.js';
import type { Progress } from './protocol-types.js';

/** How long to wait, and who may end it. */
export interface WaitOptions {
  /** Gives up; the wait rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds from the start, and again from each `restart()`; `Infinity` for none. */
  timeoutMs: number;
  /** What a timeout says, up to the time, such as `The server did not answer resources/list`. */
  late: string;
  /** Runs when the wait is given up, for its time or its signal. */
  ongiveup?: (() => void) | undefined;
  /** Kept for whoever finds the wait by its key. */
  onprogress?: ((progress: Progress) => void) | undefined;
}

/** Something that is waited for. Whoever takes it off the list settles it. */
interface Wait {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** Starts the time anew. */
  restart(): void;
  /** Lets go of timer and signal. */
  stop(): void;
  onprogress: WaitOptions['onprogress'];
}

/** The longest delay of a timer; above it browsers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * All that a connection waits for. Every wait settles, and settles once: by its answer, its
 * timeout, its signal, or the end of the connection.
 */
export class Outstanding {
  readonly #waits = new Map<unknown, Wait>();
  #isEnded = false;

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
    { signal, timeoutMs, late, ongiveup, onprogress }: WaitOptions,
  ): Promise<Value> {
    if (this.#isEnded) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(signal.reason as unknown);
    return new Promise<Value>((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const giveUp = (reason: unknown): void => {
        this.take(key);
        ongiveup?.();
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
      this.#waits.set(key, { resolve: settle, reject, restart, stop, onprogress });
      begin();
    });
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

  /** Rejects all, and whatever is still to come, with `closed`. */
  end(): void {
    this.#isEnded = true;
    for (const key of this.#waits.keys()) this.take(key)?.reject(closedError());
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

import { type IDBPTransaction, unwrap } from 'idb';
import { IS_WEBKIT } from './is-webkit.js';
import { Watchdog } from '../errors/watchdog.js';

const NOOP = (): void => undefined;

/** How long a turn is waited for. */
export interface TurnOptions {
  /** After so many milliseconds it rejects with `timeout`. */
  timeoutMs: number;
  /** Aborting it rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Begins a transaction when it is its turn, which it keeps until it is over, or until `release` is called.
 *
 * @param begin Throws what the browser throws; the turn is over then, too.
 */
export async function beginInTurn<Begun extends object>(
  databaseName: string,
  mode: 'readonly' | 'readwrite',
  options: TurnOptions,
  begin: () => Begun,
): Promise<{ transaction: Begun; release: () => void }> {
  const release = await acquireTurn(databaseName, mode, options);
  try {
    const transaction = begin();
    if (release !== NOOP) listenToEnd(transaction, release);
    return { transaction, release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Resolves when a transaction may begin, with what gives its turn back. In WebKit (2.50) alone that may have
 * to be waited for. Where a worker ends there, as by a reload of its page, a transaction of it that waits
 * for another may never end, and nobody can read or write what it names until the tab is closed: two writes
 * at a time and twenty reloads are enough. So none begins that would have to wait: a write has its turn when
 * no other transaction is under way, in whatever tab, and a read when no write is. The browser takes a lock
 * from a worker that has ended. Remove this when it ends the transactions, too.
 */
export async function acquireTurn(
  databaseName: string,
  mode: 'readonly' | 'readwrite',
  { timeoutMs, signal }: TurnOptions,
): Promise<() => void> {
  // An insecure context has none.
  const { locks }: { locks?: LockManager } = navigator;
  if (!IS_WEBKIT || !locks) return NOOP;
  const waiting = new AbortController();
  const giveUp = (): void => waiting.abort();
  const watchdog = new Watchdog(timeoutMs, giveUp);
  signal?.addEventListener('abort', giveUp);
  const options: LockOptions = {
    mode: mode === 'readonly' ? 'shared' : 'exclusive',
    signal: waiting.signal,
  };
  const turn = new Promise<() => void>((resolve, reject) => {
    const hold = (): Promise<void> => new Promise((release) => resolve(release));
    locks.request(`inpage-mcp:turn:${databaseName}`, options, hold).catch(reject);
  });
  try {
    if (signal?.aborted) giveUp();
    return await Promise.race([watchdog.timeout, turn]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    watchdog.stop();
    signal?.removeEventListener('abort', giveUp);
  }
}

/** `done` of the wrapper would not do: it rejects with the first request that fails, before the end. */
function listenToEnd(transaction: object, listener: () => void): void {
  const bare = unwrap(transaction as IDBPTransaction);
  bare.addEventListener('complete', listener);
  bare.addEventListener('abort', listener);
}

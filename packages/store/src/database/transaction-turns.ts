import { type IDBPTransaction, unwrap } from 'idb';
import { IS_WEBKIT } from './is-webkit.js';
import { Watchdog } from '../errors/watchdog.js';

const NOOP = (): void => undefined;

/** The limits of the wait for a turn. */
export interface TurnOptions {
  /** The time in milliseconds after which the wait rejects with `timeout`. */
  timeoutMs: number;
  /** A signal; after its abort, the wait rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Begins a transaction when it is its turn. It keeps the turn until it ends, or until `release` is
 * called.
 *
 * @param begin Throws the exception of the browser; this ends the turn, too.
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
 * Resolves when a transaction may begin, with a function that releases its turn. Only WebKit (2.50) needs
 * turns. If a worker ends there, as by a reload of its page, its transaction that waits for another one may
 * never end. Its object stores can then not be read or written until the tab is closed: two writes at a time
 * and twenty reloads are enough to cause this. So no transaction begins if it would have to wait: a write
 * begins when no other transaction of any tab is running, and a read when no write is. The browser releases
 * the lock of a worker that has ended. Remove this when it ends the transactions, too.
 */
export async function acquireTurn(
  databaseName: string,
  mode: 'readonly' | 'readwrite',
  options: TurnOptions,
): Promise<() => void> {
  return IS_WEBKIT ? await acquireLock(`inpage-mcp:turn:${databaseName}`, mode, options) : NOOP;
}

/** The maximum time that a large write waits for its turn: the tab that has the turn may be asleep. */
const LARGE_TURN_MS = 10_000;

/**
 * Runs a large write, or the indexer for a moment, when it is its turn among those of all tabs. This prevents
 * the index from falling behind, and any other transaction waits for only one large write. If the turn does
 * not come in time, or the browser grants no locks, `work` still runs.
 *
 * @param signal After an abort, the wait rejects with its reason.
 */
export async function inLargeTurn<Value>(
  databaseName: string,
  signal: AbortSignal | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  const options = { timeoutMs: LARGE_TURN_MS, signal };
  const name = `inpage-mcp:large:${databaseName}`;
  const release = await acquireLock(name, 'readwrite', options).catch(() => NOOP);
  try {
    signal?.throwIfAborted();
    return await work();
  } finally {
    release();
  }
}

/** Rejects after the timeout, after an abort, or if the browser grants no locks here. */
async function acquireLock(
  name: string,
  mode: 'readonly' | 'readwrite',
  { timeoutMs, signal }: TurnOptions,
): Promise<() => void> {
  // An insecure context has no locks.
  const { locks }: { locks?: LockManager } = navigator;
  if (!locks) return NOOP;
  const waiting = new AbortController();
  const giveUp = (): void => waiting.abort();
  const watchdog = new Watchdog(timeoutMs, giveUp, mode);
  signal?.addEventListener('abort', giveUp);
  const options: LockOptions = {
    mode: mode === 'readonly' ? 'shared' : 'exclusive',
    signal: waiting.signal,
  };
  const turn = new Promise<() => void>((resolve, reject) => {
    const hold = (): Promise<void> => new Promise((release) => resolve(release));
    locks.request(name, options, hold).catch(reject);
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

/**
 * Calls a listener at the end of a transaction. The `done` of the wrapper is not used, because it rejects at
 * the first failed request, before the end.
 */
export function listenToEnd(transaction: object, listener: () => void): void {
  const bare = unwrap(transaction as IDBPTransaction);
  bare.addEventListener('complete', listener);
  bare.addEventListener('abort', listener);
}

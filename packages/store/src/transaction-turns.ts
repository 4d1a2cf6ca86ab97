import { IS_WEBKIT } from './is-webkit.js';
import { Watchdog } from './watchdog.js';

const NOTHING = (): void => undefined;

/**
 * Resolves when a transaction may begin, with what has to be called when it is over. At once, but in
 * WebKit (2.50): where a worker ends, as by a reload of its page, a transaction of it that waits for
 * another may never end there, and nobody can read or write what it names until the tab is closed. Two
 * writes at a time and twenty reloads are enough. So no transaction begins there that would have to wait:
 * a write begins when no other transaction is under way, in whatever tab, and a read when no write is.
 * The browser takes a lock from a worker that has ended. Remove this when it ends the transactions, too.
 *
 * @param signal Aborting it ends the wait: it then rejects with its reason.
 * @param timeoutMs How long it waits; then it rejects with `timeout`.
 */
export async function turnOf(
  databaseName: string,
  mode: 'readonly' | 'readwrite',
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<() => void> {
  // An insecure context has none.
  const { locks }: { locks?: LockManager } = navigator;
  if (!IS_WEBKIT || !locks) return NOTHING;
  const waiting = new AbortController();
  const giveUp = (): void => waiting.abort();
  const watchdog = new Watchdog(timeoutMs, giveUp);
  signal?.addEventListener('abort', giveUp);
  const options = {
    mode: mode === 'readonly' ? 'shared' : 'exclusive',
    signal: waiting.signal,
  } as const;
  const turn = new Promise<() => void>((resolve, reject) => {
    const hold = (): Promise<void> => new Promise((leave) => resolve(leave));
    locks.request(`inpage-mcp:turn:${databaseName}`, options, hold).catch(reject);
  });
  try {
    if (signal?.aborted) giveUp();
    return await Promise.race([watchdog.late, turn]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    watchdog.stop();
    signal?.removeEventListener('abort', giveUp);
  }
}

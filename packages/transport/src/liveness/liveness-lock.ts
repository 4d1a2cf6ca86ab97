/**
 * The liveness of agents of one origin, shown by a Web Lock, which the browser releases when its holder dies.
 * Insecure contexts have no Web Locks, so a death is not noticed this way there.
 */

/** Whether Web Locks exist here. */
export function canHoldLiveness(): boolean {
  return 'navigator' in globalThis && 'locks' in navigator;
}

/**
 * Acquires the lock, and holds it until this agent dies or releases it.
 *
 * @returns Releases the lock; resolves once the lock is held.
 * @throws {DOMException} if Web Locks are missing or forbidden.
 */
export async function holdLiveness(name: string): Promise<() => void> {
  return await new Promise((resolve, reject) => {
    const hold = async (): Promise<void> => {
      await new Promise<void>((release) => resolve(release));
    };
    navigator.locks.request(name, hold).catch(reject);
  });
}

/**
 * Whether the lock is held, as far as this agent can see: a frame of the same origin inside another
 * site has separate locks.
 *
 * @throws {DOMException} if Web Locks are missing or forbidden.
 */
export async function isLivenessHeld(name: string): Promise<boolean> {
  // `query()` is not used, because it makes Chromium evict every page of the origin that holds a lock from
  // the back/forward cache.
  const options = { mode: 'shared', ifAvailable: true } as const;
  return await navigator.locks.request(name, options, (lock) => lock === null);
}

/**
 * Resolves when the holder of the lock has released it or died; at once if the lock is not held.
 *
 * @param signal Aborts the wait, which then rejects with the signal's reason.
 */
export async function whenGone(name: string, signal: AbortSignal): Promise<void> {
  // Shared: any number of agents may wait, and all of them are notified.
  await navigator.locks.request(name, { mode: 'shared', signal }, () => undefined);
}

/**
 * A sign of life between agents of one origin: a Web Lock, which the browser takes from whoever
 * dies. In an insecure context there are none, and nothing is noticed.
 */

/** Whether there are Web Locks here. */
export function canHoldLiveness(): boolean {
  return 'locks' in navigator;
}

/**
 * Holds the lock until this agent dies or lets go.
 *
 * @returns What lets go, once the lock is held.
 * @throws {DOMException} where there are no Web Locks, or when they are forbidden.
 */
export async function holdLiveness(name: string): Promise<() => void> {
  return await new Promise((resolve, reject) => {
    const hold = async (): Promise<void> => {
      await new Promise<void>((letGo) => resolve(letGo));
    };
    navigator.locks.request(name, hold).catch(reject);
  });
}

/**
 * Whether somebody holds the lock, as far as can be seen from here: a frame of the same origin, but
 * inside another site, has locks of its own.
 *
 * @throws {DOMException} where there are no Web Locks, or when they are forbidden.
 */
export async function isLivenessHeld(name: string): Promise<boolean> {
  // Not by `query()`: at that, Chromium throws every page of the origin that holds a lock out of its
  // back/forward cache.
  const options = { mode: 'shared', ifAvailable: true } as const;
  return await navigator.locks.request(name, options, (lock) => lock === null);
}

/**
 * Resolves when whoever holds the lock has let go or died, and at once where nobody holds it.
 *
 * @param signal Ends the wait: it then rejects with the signal's reason.
 */
export async function whenGone(name: string, signal: AbortSignal): Promise<void> {
  // Shared: any number may wait, and none is kept from seeing it by another.
  await navigator.locks.request(name, { mode: 'shared', signal }, () => undefined);
}

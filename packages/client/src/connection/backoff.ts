const FIRST_DELAY_MS = 100;

/** The maximum delay between two attempts to connect. */
export const MAX_DELAY_MS = 5_000;

/**
 * The delay before an attempt to connect, in milliseconds: 0 before the first, then about twice the
 * previous one. A random part of up to a quarter is subtracted, so that the clients of many tabs do
 * not all connect at the same moment.
 *
 * @param attempts The number of attempts before this one.
 */
export function backoffMs(attempts: number): number {
  if (attempts === 0) return 0;
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS);
  return delayMs * (1 - Math.random() / 4);
}

/** Resolves after the delay, or when the signal aborts. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  if (delayMs === 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal.addEventListener('abort', end);
  });
}

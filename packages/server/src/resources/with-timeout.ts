import { startTimer } from '@inpage-mcp/protocol';

/**
 * Waits for the page, which may be busy, frozen or gone. Always settles after the timeout or an
 * abort.
 *
 * @param work Not called if the signal is aborted already.
 * @param timeoutMs Milliseconds until it rejects with a `TimeoutError`; `Infinity` for no timeout.
 * @param signal If it aborts, this rejects with its reason.
 */
export async function withTimeout<Value>(
  work: () => Value | Promise<Value>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Value> {
  signal.throwIfAborted();
  let fail!: (reason: unknown) => void;
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const onAbort = (): void => fail(signal.reason);
  const timeout = new DOMException(
    `The page did not answer within ${timeoutMs} ms.`,
    'TimeoutError',
  );
  const timer = startTimer(() => fail(timeout), timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([(async () => await work())(), failure]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

import { startTimer } from '@inpage-mcp/protocol';

/**
 * Waits for something that the page does, which may be busy, frozen or gone; whoever waits gets an
 * end in any case.
 *
 * @param work Not begun when the signal is aborted already.
 * @param timeoutMs Milliseconds until it rejects with a `TimeoutError`; `Infinity` for never.
 * @param signal Rejects with its reason.
 */
export async function inTime<Value>(
  work: () => Value | Promise<Value>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Value> {
  signal.throwIfAborted();
  let giveUp!: (reason: unknown) => void;
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  const onAbort = (): void => giveUp(signal.reason);
  const late = new DOMException(`The page did not answer within ${timeoutMs} ms.`, 'TimeoutError');
  const timer = startTimer(() => giveUp(late), timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([(async () => await work())(), givenUp]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

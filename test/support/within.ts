/**
 * What an event reports comes long before this, also on a busy machine. And it is less than the
 * heartbeat takes to notice a death: what comes in time was not left to that.
 */
const SOON_MS = 10_000;

/** What the promise settles with, or a failure that says what an event should have brought about. */
export function soon<Value>(what: string, promise: Promise<Value>): Promise<Value> {
  return within(SOON_MS, what, promise);
}

/**
 * What the promise settles with, or a failure that says what did not happen in the documented time.
 *
 * @param what Such as `the frame is freed`.
 */
export async function within<Value>(
  timeMs: number,
  what: string,
  promise: Promise<Value>,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(new Error(`Not within ${timeMs} ms: ${what}.`));
    timer = setTimeout(fail, timeMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

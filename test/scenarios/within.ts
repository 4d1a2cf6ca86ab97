/**
 * What the promise settles with, or a failure that says what did not happen in time.
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

const { setTimeout, clearTimeout } = globalThis;
const now = performance.now.bind(performance);

/** How long a test waits for something that comes, on the slowest machine, before it gives up. */
const PATIENCE_MS = 30_000;

/** An element was looked for inside another one, and is not there, or not yet. */
export class MissingElement extends Error {}

/**
 * Resolves with the first truthy value of `look`, asked again with every frame, also while an element is
 * missing there. Rejects after 30 s; the timers and the clock of a test do not change that.
 *
 * @param words What is awaited, for the message. Default: the source of `look`.
 */
export async function eventually<Value>(
  look: () => Value | undefined | null | false | Promise<Value | undefined | null | false>,
  words = String(look),
): Promise<Value> {
  for (const endMs = now() + PATIENCE_MS; ;) {
    let cause: unknown;
    try {
      const value = await look();
      if (value !== undefined && value !== null && value !== false) return value;
    } catch (error) {
      if (!(error instanceof MissingElement)) throw error;
      cause = error;
    }
    if (now() > endMs) throw new Error(`Not within ${PATIENCE_MS / 1_000} s: ${words}`, { cause });
    await new Promise(requestAnimationFrame);
  }
}

/** Waits until the page was drawn so many times. */
export async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
}

/** What the promise settles with, or a failure that says what an event should have brought about; see `useNoHeartbeat`. */
export function soon<Value>(what: string, promise: Promise<Value>): Promise<Value> {
  return within(PATIENCE_MS, what, promise);
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

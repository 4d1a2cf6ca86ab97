/** Time that passes only when a test says so. Messages on ports take none, and neither do timers without a delay. */
export interface FakeTimers {
  /** Lets time pass, and runs what is due, in the order of its time. */
  pass(ms: number): void;
  /** How many timers are running. */
  readonly running: number;
  /** Resolves when so many timers are running. */
  until(count: number): Promise<void>;
}

export interface FakeTimersOptions {
  /** Whether `performance.now()` and `Date.now()` stand still as well. Default: false. */
  stopClock?: boolean;
  /** Whether a timer of this delay waits for the test; others run as ever. Default: every one. */
  only?: (delayMs: number) => boolean;
}

/** The id of the first timer: more than a browser gives to its own. */
const FIRST_ID = 2 ** 32;

/** Replaces the timers of the page during each test of the suite that calls this. */
export function useFakeTimers({
  stopClock = false,
  only = () => true,
}: FakeTimersOptions = {}): FakeTimers {
  const { setTimeout, clearTimeout, Date } = globalThis;
  const { now: dateNow } = Date;
  const timers = new Map<number, { at: number; run: () => void }>();
  let now = 0;
  let nextId = FIRST_ID;
  let onStart = (): void => undefined;

  beforeEach(() => {
    timers.clear();
    globalThis.setTimeout = ((run: () => void, delayMs = 0): unknown => {
      if (delayMs <= 0 || !only(delayMs)) return setTimeout(run, delayMs);
      timers.set(nextId, { at: now + delayMs, run });
      onStart();
      return nextId++;
    }) as typeof setTimeout;
    globalThis.clearTimeout = (id) => void (timers.delete(Number(id)) || clearTimeout(id));
    if (!stopClock) return;
    // Whole numbers, so that a sum of times has no rounding errors.
    const [performanceStart, dateStart] = [Math.ceil(performance.now()) - now, dateNow() - now];
    performance.now = () => performanceStart + now;
    Date.now = () => dateStart + now;
  });

  afterEach(() => {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    Date.now = dateNow;
    Reflect.deleteProperty(performance, 'now');
  });

  return {
    get running() {
      return timers.size;
    },
    async until(count) {
      while (timers.size < count) {
        await new Promise<void>((resolve) => {
          onStart = resolve;
        });
      }
    },
    pass(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = [...timers].toSorted(([, a], [, b]) => a.at - b.at);
        if (!next || next[1].at > until) break;
        timers.delete(next[0]);
        now = next[1].at;
        next[1].run();
      }
      now = until;
    },
  };
}

/** Time that passes only when a test says so. Messages on ports take none. */
export interface FakeTimers {
  /** Lets time pass, and runs what is due, in the order of its time. */
  pass(ms: number): void;
  /** How many timers are running. */
  readonly running: number;
  /** Resolves when so many timers are running. */
  until(count: number): Promise<void>;
}

/** Replaces the timers of the page during each test of the suite that calls this. */
export function useFakeTimers(): FakeTimers {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Map<number, { at: number; run: () => void }>();
  let now = 0;
  let nextId = 1;
  let onStart = (): void => undefined;

  beforeEach(() => {
    timers.clear();
    globalThis.setTimeout = ((run: () => void, delayMs = 0): number => {
      timers.set(nextId, { at: now + delayMs, run });
      onStart();
      return nextId++;
    }) as typeof setTimeout;
    globalThis.clearTimeout = (id) => void timers.delete(Number(id));
  });

  afterEach(() => {
    Object.assign(globalThis, { setTimeout, clearTimeout });
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

/** The shortest time between two reports, in milliseconds. */
const INTERVAL_MS = 1_000;

/** Reports that come no faster than one can read. */
interface QuietReports {
  report(error: unknown): void;
  /** Reports what is left, at once. */
  end(): void;
}

/** Passes one error on, then none for a second, then how many there were and the last of them. */
export function quietReports(report: (error: unknown) => void): QuietReports {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let count = 0;
  let last: unknown;
  const summarize = (): void => {
    timer = undefined;
    if (count === 0) return;
    const cause = last;
    const text = last instanceof Error ? last.message : String(last);
    const summary = new Error(`${count} more within a second; the last: ${text}`, { cause });
    count = 0;
    last = undefined;
    timer = setTimeout(summarize, INTERVAL_MS);
    report(summary);
  };
  return {
    report(error) {
      if (timer === undefined) {
        timer = setTimeout(summarize, INTERVAL_MS);
        report(error);
      } else {
        count += 1;
        last = error;
      }
    },
    end() {
      clearTimeout(timer);
      summarize();
      clearTimeout(timer);
    },
  };
}

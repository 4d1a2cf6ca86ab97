/** The minimum interval between two reports, in milliseconds. */
const INTERVAL_MS = 1_000;

/** Reports at a readable rate. */
interface ThrottledReports {
  report(error: unknown): void;
  /** Reports the remaining errors at once. */
  end(): void;
}

/**
 * Reports one error, then none for a second, then the number of further errors and the last of
 * them.
 */
export function throttleReports(report: (error: unknown) => void): ThrottledReports {
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

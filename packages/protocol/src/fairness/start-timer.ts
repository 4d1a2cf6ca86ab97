/** The maximum delay of a timer, in milliseconds; with a longer delay browsers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs a function later. It never runs if the delay is too long for a timer, such as `Infinity`. */
export function startTimer(
  run: () => void,
  delayMs: number,
): ReturnType<typeof setTimeout> | undefined {
  return delayMs > MAX_TIMER_MS ? undefined : setTimeout(run, Math.max(0, delayMs));
}

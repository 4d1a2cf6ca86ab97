/** The longest time that a timer can be set to, in milliseconds; above it browsers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs something later. A time that no timer can hold, such as `Infinity`, never comes. */
export function startTimer(
  run: () => void,
  delayMs: number,
): ReturnType<typeof setTimeout> | undefined {
  return delayMs > MAX_TIMER_MS ? undefined : setTimeout(run, Math.max(0, delayMs));
}

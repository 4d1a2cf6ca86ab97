import { truncateText } from './truncate-text.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size in bytes for people: `1.2 kB`. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.5 would be shown as 1000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How long ago a moment (ISO 8601) was, in the reader's language: `5 minutes ago`. */
export function formatAge(moment: string, now: number = Date.now()): string {
  const elapsedMs = now - Date.parse(moment);
  if (Number.isNaN(elapsedMs)) return '';
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  const step = STEPS.find(([, ms]) => elapsedMs >= ms);
  return step
    ? format.format(-Math.floor(elapsedMs / step[1]), step[0])
    : format.format(0, 'second');
}

/** What went wrong, in the words of its reporter; a long text is cut. */
export function formatError(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return message ? truncateText(message, 500) : 'Something went wrong.';
}

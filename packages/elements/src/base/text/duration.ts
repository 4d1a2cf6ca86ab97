import { languageTag } from './language.js';

/** The format of a number of units, such as `3.2 ms`. */
function formatUnit(value: number, unit: string, digits: number): string {
  return new Intl.NumberFormat(languageTag(), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** A duration in milliseconds for people: `0.4 ms`, `12 ms`, `3.2 sec`, `2 min`, `5 hr`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return '';
  if (ms < 9.95) return formatUnit(ms, 'millisecond', 1);
  if (ms < 999.5) return formatUnit(ms, 'millisecond', 0);
  if (ms < 59_950) return formatUnit(ms / 1000, 'second', ms < 9_950 ? 1 : 0);
  if (ms < 3_600_000) return formatUnit(Math.floor(ms / 60_000), 'minute', 0);
  return formatUnit(Math.floor(ms / 3_600_000), 'hour', 0);
}

/** A running time, in whole seconds, minutes or hours. */
export function formatElapsed(ms: number): string {
  if (ms >= 60_000) return formatDuration(ms);
  return formatUnit(Math.floor(ms / 1000), 'second', 0);
}

/** A time limit for people, with units written out: `30 seconds`, `10 minutes`. */
export function formatTimeLimit(ms: number): string {
  const isLong = ms >= 120_000;
  const value = Math.round(ms / (isLong ? 60_000 : 1000));
  const unit = isLong ? 'minute' : 'second';
  const options = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(languageTag(), options).format(value);
}

import { msg } from '@lit/localize';
import { languageTag } from './language.js';
import { truncateText } from './truncate-text.js';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** A size in bytes for people: `1.2 kB`. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let step = 0;
  // 999.5 would be shown as 1000.
  while (value >= 999.5 && step < UNITS.length - 1) {
    value /= 1000;
    step += 1;
  }
  const digits = step > 0 && value < 9.95 ? 1 : 0;
  return new Intl.NumberFormat(languageTag(), {
    style: 'unit',
    unit: UNITS[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/**
 * The end of the year 9999, as the latest moment. A server whose clock is so wrong that it names a later one
 * gets this one.
 */
const LAST_MOMENT_MS = 253_402_300_799_999;

/** The age of a moment (ISO 8601) as a text: `5 minutes ago`; empty if it is not a date. */
export function formatAge(moment: string, now: number = Date.now()): string {
  // No valid moment is longer, and it takes milliseconds to find that a text of a megabyte is not one.
  const elapsedMs = Math.min(now, LAST_MOMENT_MS) - Date.parse(moment.slice(0, 64));
  if (Number.isNaN(elapsedMs)) return '';
  const format = new Intl.RelativeTimeFormat(languageTag(), { numeric: 'auto' });
  const step = STEPS.find(([, ms]) => elapsedMs >= ms);
  return step
    ? format.format(-Math.floor(elapsedMs / step[1]), step[0])
    : format.format(0, 'second');
}

/** A moment (ISO 8601, or milliseconds since 1970) as date and time; empty if it is not a date. */
export function formatDate(moment: string | number): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  return date.toLocaleString(languageTag(), { dateStyle: 'medium', timeStyle: 'short' });
}

/** A number with the separators of the language: `12,345`. */
export function formatNumber(value: number): string {
  return value.toLocaleString(languageTag());
}

/** Facts in one line, without the empty ones: `Note · 682 bytes · now`. */
export function joinFacts(facts: readonly (string | undefined)[]): string {
  const text = facts.filter(Boolean).join(' · ');
  // The direction of a size in Hebrew or Arabic must not affect the Latin letters of a type before it.
  return /[\u0590-\u08ff]/.test(text) ? text.replaceAll(' · ', '\u200f · \u200f') : text;
}

/** The reason of a failure, as its reporter states it; a long text is cut. */
export function formatError(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const unknown = msg('Something went wrong.', { id: 'mcp.unknown-error' });
  return message ? truncateText(message, 500) : unknown;
}

/** Characters that change the direction of the following text. */
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * A name of another author, for the middle of a sentence: its direction does not affect the rest of the
 * sentence.
 */
export function isolate(name: string): string {
  return `\u2068${name.replaceAll(DIRECTION_CONTROLS, '')}\u2069`;
}

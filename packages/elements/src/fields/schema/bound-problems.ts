import { msg, str } from '@lit/localize';
import { languageTag } from '../../base/text/language.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { AmountBounds, NumberBounds, TextBounds } from './field.js';

/** A longer pattern is left to the server. */
const MAX_PATTERN_LENGTH = 200;

/** How many attempts a pattern may take, so that all patterns of a form take a moment. */
const MAX_ATTEMPTS = 20_000;

/** The problem of what is not a number. */
export function numberFormProblem({ isInteger }: NumberBounds): string {
  return isInteger
    ? msg('Enter a whole number.', { id: 'mcp.field.integer' })
    : msg('Enter a number.', { id: 'mcp.field.number' });
}

/** The problem of a text that is not within its bounds. */
export function textProblem(
  { minLength = 0, maxLength = Infinity, pattern }: TextBounds,
  text: string,
): string | undefined {
  const length = lengthOf(text, minLength, maxLength);
  if (length < minLength) {
    const least = formatBound(minLength);
    return msg(str`This is too short. Minimum length: ${least}`, { id: 'mcp.field.too-short' });
  }
  if (length > maxLength) return longProblem(length, maxLength);
  if (pattern === undefined || matchesPattern(text, pattern)) return undefined;
  const shown = truncateText(pattern);
  return msg(str`This must match the pattern ${shown}`, { id: 'mcp.field.pattern' });
}

function longProblem(length: number, maxLength: number): string {
  const [most, now] = [formatBound(maxLength), formatBound(length)];
  return msg(str`This is too long. Maximum length: ${most}. Length now: ${now}`, {
    id: 'mcp.field.too-long',
  });
}

/** The length in code points, counted only where it matters. */
function lengthOf(text: string, minLength: number, maxLength: number): number {
  if (text.length <= maxLength && text.length >= 2 * minLength) return text.length;
  return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);
}

/** The problem of a number that is not within its bounds. */
export function numberProblem(field: NumberBounds, value: number): string | undefined {
  if (!Number.isFinite(value) || (field.isInteger && !Number.isInteger(value)))
    return numberFormProblem(field);
  if (field.isInteger && !Number.isSafeInteger(value)) return digitsProblem();
  return boundProblem(field, value) ?? stepProblem(field, value);
}

/** The problem of a number that JavaScript would change; `undefined` if it keeps all digits. */
export function exactnessProblem(text: string): string | undefined {
  return digitsOf(text) === digitsOf(String(Number(text))) ? undefined : digitsProblem();
}

/** The digits that matter: without zeros at the ends, sign, point and exponent. */
function digitsOf(text: string): string {
  const [mantissa = ''] = text.toLowerCase().split('e');
  return mantissa.replaceAll(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '');
}

function digitsProblem(): string {
  return msg('This number has too many digits.', { id: 'mcp.field.unsafe-integer' });
}

function boundProblem(
  { minimum = -Infinity, maximum = Infinity, above = -Infinity, below = Infinity }: NumberBounds,
  value: number,
): string | undefined {
  if (value < minimum) return atLeast(formatBound(minimum));
  if (value > maximum) return atMost(formatBound(maximum));
  if (value <= above) return moreThan(formatBound(above));
  return value >= below ? lessThan(formatBound(below)) : undefined;
}

function atLeast(least: string): string {
  return msg(str`Enter ${least} or more.`, { id: 'mcp.field.minimum' });
}

function atMost(most: string): string {
  return msg(str`Enter ${most} or less.`, { id: 'mcp.field.maximum' });
}

function moreThan(low: string): string {
  return msg(str`Enter more than ${low}.`, { id: 'mcp.field.above' });
}

function lessThan(high: string): string {
  return msg(str`Enter less than ${high}.`, { id: 'mcp.field.below' });
}

function stepProblem({ multipleOf }: NumberBounds, value: number): string | undefined {
  if (multipleOf === undefined) return undefined;
  const steps = value / multipleOf;
  // 0.3 / 0.1 is not 3.
  if (Math.abs(steps - Math.round(steps)) < 1e-9 * Math.max(1, Math.abs(steps))) return undefined;
  const step = formatBound(multipleOf);
  return msg(str`Enter a multiple of ${step}.`, { id: 'mcp.field.multiple' });
}

/** The problem of an array with too few or too many entries. */
export function amountProblem(
  { minItems, maxItems = Infinity }: AmountBounds,
  count: number,
): string | undefined {
  if (count < minItems) return tooFew(formatBound(minItems));
  return count > maxItems ? tooMany(formatBound(maxItems)) : undefined;
}

function tooFew(least: string): string {
  return msg(str`More entries are needed. Minimum: ${least}`, { id: 'mcp.field.too-few' });
}

function tooMany(most: string): string {
  return msg(str`There are too many entries. Maximum: ${most}`, { id: 'mcp.field.too-many' });
}

/** The problem of an array in which entries are the same. */
export function uniqueProblem(values: readonly unknown[]): string | undefined {
  const texts = new Set(values.map((value) => JSON.stringify(value)));
  return texts.size < values.length
    ? msg('Each entry must be different.', { id: 'mcp.field.unique' })
    : undefined;
}

/** A number with all its digits. */
function formatBound(value: number): string {
  return value.toLocaleString(languageTag(), { maximumSignificantDigits: 17 });
}

/**
 * Whether a text matches a pattern of a server; `true` where finding out might take long: some
 * patterns take years for thirty letters, and nothing can stop a regular expression.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH || attemptsOf(pattern, text.length) > MAX_ATTEMPTS)
    return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/** How many ways there are at most to match a text of a length. */
function attemptsOf(pattern: string, length: number): number {
  // A character that is escaped, or a class of characters, is one character.
  const plain = pattern
    .replaceAll(/\\[1-9k]/g, '(?=')
    .replaceAll(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\./gu, 'a')
    .replaceAll(/\[[^\]]*\]/g, 'a');
  // Groups that repeat, groups that look ahead or behind, and references to groups.
  if (/\)(?:[*+]|\{)|\(\?(?!:|<[A-Za-z])/.test(plain)) return Infinity;
  const repeats = plain.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0;
  const branches = plain.match(/[?|]/g)?.length ?? 0;
  const starts = plain.startsWith('^') && !plain.includes('|') ? 0 : 1;
  return (length + 1) ** (repeats + starts) * 2 ** branches;
}

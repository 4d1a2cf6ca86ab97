import { msg, str } from '@lit/localize';
import { formatError } from '../text/format.js';
import { languageTag } from '../text/language.js';
import { truncateText } from '../text/truncate-text.js';
import type { Entry, TypedEntry } from './entry.js';
import { isEmptyEntry, valueOf } from './entry-value.js';
import type { ChoicesField, Field, ListField, NumberField, TextField } from './field.js';
import { matchesQuickly } from './quick-pattern.js';

/** What the browser says about the contents of a control. */
export type BrowserCheck = Pick<ValidityState, 'badInput' | 'typeMismatch'>;

/**
 * Why a value cannot be sent, in the language of the page; `undefined` if it can. The server checks
 * it again, and more.
 *
 * @param check What the browser says about the control, which may hold what is not a value at all.
 */
export function problemOf(entry: Entry, check?: BrowserCheck): string | undefined {
  if (entry.isNull) return undefined;
  const { field } = entry;
  if (check && (check.badInput || check.typeMismatch)) return formProblem(field);
  if (isEmptyEntry(entry)) return emptyProblem(field);
  if ('text' in entry) return typedProblem(entry);
  const isArray = field.kind === 'choices' || field.kind === 'list';
  return isArray ? amountProblem(field, valueOf(entry) as unknown[]) : undefined;
}

function emptyProblem(field: Field): string | undefined {
  if (field.kind === 'list' || field.kind === 'choices')
    return field.isRequired ? amountProblem(field, []) : undefined;
  const mayBeEmpty = field.kind === 'text' && field.minLength === 0;
  if (!field.isRequired || mayBeEmpty) return undefined;
  return field.kind === 'choice'
    ? msg('Choose a value.', { id: 'mcp.field.choose' })
    : msg('Enter a value.', { id: 'mcp.field.required' });
}

/** The problem of a value that does not have the form of its type. */
function formProblem(field: Field): string {
  if (field.kind === 'number') return numberFormProblem(field);
  const control = field.kind === 'text' ? field.control : 'line';
  if (control === 'email') return msg('Enter an email address.', { id: 'mcp.field.email' });
  if (control === 'url')
    return msg('Enter an address with its scheme, such as https://example.com/.', {
      id: 'mcp.field.url',
    });
  return control === 'date'
    ? msg('Enter a whole date.', { id: 'mcp.field.date' })
    : msg('Enter a date and a time.', { id: 'mcp.field.date-time' });
}

function numberFormProblem({ isInteger }: NumberField): string {
  return isInteger
    ? msg('Enter a whole number.', { id: 'mcp.field.integer' })
    : msg('Enter a number.', { id: 'mcp.field.number' });
}

function typedProblem(entry: TypedEntry): string | undefined {
  const { field, text } = entry;
  if (field.kind === 'json') return jsonProblem(text);
  if (field.kind === 'number') return numberProblem(field, Number(text));
  const isDate = field.control === 'date-time' || field.control === 'date';
  if (isDate) return valueOf(entry) === undefined ? formProblem(field) : undefined;
  return textProblem(field, text);
}

function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const reason = formatError(error);
    return msg(str`This is not valid JSON: ${reason}`, { id: 'mcp.field.json-error' });
  }
}

function textProblem(field: TextField, text: string): string | undefined {
  const { minLength = 0, maxLength = Infinity, pattern } = field;
  const length = lengthOf(text, minLength, maxLength);
  if (length < minLength) {
    const least = formatBound(minLength);
    return msg(str`This is too short. Minimum length: ${least}`, { id: 'mcp.field.too-short' });
  }
  if (length > maxLength) return longProblem(length, maxLength);
  if (pattern === undefined || matchesQuickly(text, pattern)) return undefined;
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

function numberProblem(field: NumberField, value: number): string | undefined {
  if (!Number.isFinite(value) || (field.isInteger && !Number.isInteger(value)))
    return numberFormProblem(field);
  if (field.isInteger && !Number.isSafeInteger(value))
    return msg('This number has too many digits.', { id: 'mcp.field.unsafe-integer' });
  return boundProblem(field, value) ?? stepProblem(field, value);
}

function boundProblem(
  { minimum = -Infinity, maximum = Infinity, above = -Infinity, below = Infinity }: NumberField,
  value: number,
): string | undefined {
  const [least, most] = [formatBound(minimum), formatBound(maximum)];
  if (value < minimum) return msg(str`Enter ${least} or more.`, { id: 'mcp.field.minimum' });
  if (value > maximum) return msg(str`Enter ${most} or less.`, { id: 'mcp.field.maximum' });
  const [low, high] = [formatBound(above), formatBound(below)];
  if (value <= above) return msg(str`Enter more than ${low}.`, { id: 'mcp.field.above' });
  if (value >= below) return msg(str`Enter less than ${high}.`, { id: 'mcp.field.below' });
  return undefined;
}

function stepProblem({ multipleOf }: NumberField, value: number): string | undefined {
  if (multipleOf === undefined) return undefined;
  const steps = value / multipleOf;
  // 0.3 / 0.1 is not 3.
  if (Math.abs(steps - Math.round(steps)) < 1e-9 * Math.max(1, Math.abs(steps))) return undefined;
  const step = formatBound(multipleOf);
  return msg(str`Enter a multiple of ${step}.`, { id: 'mcp.field.multiple' });
}

function amountProblem(
  field: ChoicesField | ListField,
  values: readonly unknown[],
): string | undefined {
  const { minItems, maxItems = Infinity } = field;
  const [least, most] = [formatBound(minItems), formatBound(maxItems)];
  if (values.length < minItems)
    return msg(str`More entries are needed. Minimum: ${least}`, { id: 'mcp.field.too-few' });
  if (values.length > maxItems)
    return msg(str`There are too many entries. Maximum: ${most}`, { id: 'mcp.field.too-many' });
  const isUnique = field.kind === 'list' && field.isUnique;
  return isUnique && new Set(values.map((value) => JSON.stringify(value))).size < values.length
    ? msg('Each entry must be different.', { id: 'mcp.field.unique' })
    : undefined;
}

/** A number with all its digits. */
function formatBound(value: number): string {
  return value.toLocaleString(languageTag(), { maximumSignificantDigits: 17 });
}

/** The problem of all values together, which must be an object. */
export function objectProblem(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  return msg('Enter an object: names and values in braces.', { id: 'mcp.field.object' });
}

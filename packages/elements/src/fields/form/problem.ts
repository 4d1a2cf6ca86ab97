import { msg, str } from '@lit/localize';
import { formatError } from '../../base/text/format.js';
import { languageTag } from '../../base/text/language.js';
import type { Field } from '../schema/field.js';
import { amountOf, numberOf, type Schema } from '../schema/plain-schema.js';
import { isEmptyEntry, valueOf, type Entry, type TypedEntry } from './entry.js';

/** The check of a control by the browser. */
export type BrowserCheck = Pick<ValidityState, 'badInput' | 'typeMismatch'>;

/**
 * The reason why a value cannot be sent, in the language of the page; `undefined` if the value has its form,
 * and is within its bounds. The server checks it again, and checks more: patterns, and the parts of JSON.
 *
 * @param check The browser's check of the control, which may contain a text that is not a value at all.
 */
export function problemOf(entry: Entry, check?: BrowserCheck): string | undefined {
  if (entry.isNull) return undefined;
  const { field } = entry;
  if (check && (check.badInput || check.typeMismatch)) return formProblem(field);
  if (isEmptyEntry(entry)) return emptyProblem(field);
  if ('text' in entry) return typedProblem(entry);
  return arrayProblemOf(field, valueOf(entry));
}

function arrayProblemOf({ kind, own }: Field, values: unknown): string | undefined {
  const isList = (kind === 'choices' || kind === 'list') && Array.isArray(values);
  return isList ? arrayProblem(values, own) : undefined;
}

function emptyProblem(field: Field): string | undefined {
  if (field.kind === 'list' || field.kind === 'choices')
    return field.isRequired ? arrayProblem([], field.own) : undefined;
  const mayBeEmpty = field.kind === 'text' && field.own['minLength'] === 0;
  if (!field.isRequired || mayBeEmpty) return undefined;
  return field.kind === 'choice' || field.kind === 'union'
    ? msg('Choose a value.', { id: 'mcp.field.choose' })
    : msg('Enter a value.', { id: 'mcp.field.required' });
}

/** The problem of a value that does not have the form of its type. */
function formProblem(field: Field): string {
  if (field.kind === 'number') return numberFormProblem(field.own);
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

function typedProblem(entry: TypedEntry): string | undefined {
  const { field, text } = entry;
  if (field.kind === 'json') return jsonProblem(text);
  if (field.kind === 'number')
    return numberProblem(field.own, Number(text)) ?? exactnessProblem(text);
  const isDate = field.control === 'date-time' || field.control === 'date';
  if (isDate) return valueOf(entry) === undefined ? formProblem(field) : undefined;
  return textProblem(field.own, text);
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

/** The problem of all values together, which must be an object. */
export function objectProblem(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  return msg('Enter an object: names and values in braces.', { id: 'mcp.field.object' });
}

/** The problem of a text that is not a number. */
function numberFormProblem({ type }: Schema): string {
  return type === 'integer'
    ? msg('Enter a whole number.', { id: 'mcp.field.integer' })
    : msg('Enter a number.', { id: 'mcp.field.number' });
}

/** The problem of a text that is not within the bounds of its schema. */
function textProblem(schema: Schema, text: string): string | undefined {
  const minLength = amountOf(schema['minLength']) ?? 0;
  const maxLength = amountOf(schema['maxLength']) ?? Infinity;
  const length = lengthOf(text, minLength, maxLength);
  if (length < minLength) {
    const least = formatBound(minLength);
    return msg(str`This is too short. Minimum length: ${least}`, { id: 'mcp.field.too-short' });
  }
  if (length <= maxLength) return undefined;
  const [most, now] = [formatBound(maxLength), formatBound(length)];
  return msg(str`This is too long. Maximum length: ${most}. Length now: ${now}`, {
    id: 'mcp.field.too-long',
  });
}

/** The length in code points, which are counted only if it matters. */
function lengthOf(text: string, minLength: number, maxLength: number): number {
  if (text.length <= maxLength && text.length >= 2 * minLength) return text.length;
  return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);
}

/** The problem of a number that is not within the bounds of its schema. */
function numberProblem(schema: Schema, value: number): string | undefined {
  const isInteger = schema['type'] === 'integer';
  if (!Number.isFinite(value) || (isInteger && !Number.isInteger(value)))
    return numberFormProblem(schema);
  if (isInteger && !Number.isSafeInteger(value)) return digitsProblem();
  return boundProblem(schema, value) ?? stepProblem(schema, value);
}

/** The problem of a number that JavaScript would change; `undefined` if it keeps all digits. */
function exactnessProblem(text: string): string | undefined {
  return digitsOf(text) === digitsOf(String(Number(text))) ? undefined : digitsProblem();
}

/** The significant digits: without zeros at the ends, sign, point and exponent. */
function digitsOf(text: string): string {
  const [mantissa = ''] = text.toLowerCase().split('e');
  return mantissa
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '')
    .replace(/(?<!0)0+$/, '');
}

function digitsProblem(): string {
  return msg('This number has too many digits.', { id: 'mcp.field.unsafe-integer' });
}

function boundProblem(schema: Schema, value: number): string | undefined {
  const [least, most] = [numberOf(schema['minimum']), numberOf(schema['maximum'])];
  const [low, high] = [schema['exclusiveMinimum'], schema['exclusiveMaximum']].map(numberOf);
  if (least !== undefined && value < least)
    return msg(str`Enter ${formatBound(least)} or more.`, { id: 'mcp.field.minimum' });
  if (most !== undefined && value > most)
    return msg(str`Enter ${formatBound(most)} or less.`, { id: 'mcp.field.maximum' });
  if (low !== undefined && value <= low)
    return msg(str`Enter more than ${formatBound(low)}.`, { id: 'mcp.field.above' });
  if (high !== undefined && value >= high)
    return msg(str`Enter less than ${formatBound(high)}.`, { id: 'mcp.field.below' });
  return undefined;
}

function stepProblem({ multipleOf }: Schema, value: number): string | undefined {
  const step = numberOf(multipleOf) ?? 0;
  if (step <= 0) return undefined;
  const steps = value / step;
  // In JavaScript, 0.3 / 0.1 is not 3.
  if (Math.abs(steps - Math.round(steps)) < 1e-9 * Math.max(1, Math.abs(steps))) return undefined;
  return msg(str`Enter a multiple of ${formatBound(step)}.`, { id: 'mcp.field.multiple' });
}

/** The problem of an array with too few, too many or equal entries. */
function arrayProblem(values: readonly unknown[], schema: Schema): string | undefined {
  const least = amountOf(schema['minItems']) ?? 0;
  const most = amountOf(schema['maxItems']) ?? Infinity;
  if (values.length < least)
    return msg(str`More entries are needed. Minimum: ${formatBound(least)}`, {
      id: 'mcp.field.too-few',
    });
  if (values.length > most)
    return msg(str`There are too many entries. Maximum: ${formatBound(most)}`, {
      id: 'mcp.field.too-many',
    });
  if (schema['uniqueItems'] !== true) return undefined;
  const texts = new Set(values.map((value) => JSON.stringify(value)));
  return texts.size < values.length
    ? msg('Each entry must be different.', { id: 'mcp.field.unique' })
    : undefined;
}

/** A number with all its digits. */
function formatBound(value: number): string {
  return value.toLocaleString(languageTag(), { maximumSignificantDigits: 17 });
}

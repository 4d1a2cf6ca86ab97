import { msg, str } from '@lit/localize';
import { formatError } from '../../base/text/format.js';
import {
  arrayProblem,
  exactnessProblem,
  numberFormProblem,
  numberProblem,
  textProblem,
  schemaProblem,
} from '../schema/schema-problem.js';
import { isEmptyEntry, valueOf, type Entry, type TypedEntry } from './entry.js';
import type { Field, JsonField } from '../schema/field.js';

/** The check of a control by the browser. */
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
  if (field.kind === 'json') return jsonProblem(field, text);
  if (field.kind === 'number')
    return numberProblem(field.own, Number(text)) ?? exactnessProblem(text);
  const isDate = field.control === 'date-time' || field.control === 'date';
  if (isDate) return valueOf(entry) === undefined ? formProblem(field) : undefined;
  return textProblem(field.own, text);
}

function jsonProblem(field: JsonField, text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = formatError(error);
    return msg(str`This is not valid JSON: ${reason}`, { id: 'mcp.field.json-error' });
  }
  return value === null && field.isNullable ? undefined : schemaProblem(value, field);
}

/** The problem of all values together, which must be an object. */
export function objectProblem(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  return msg('Enter an object: names and values in braces.', { id: 'mcp.field.object' });
}

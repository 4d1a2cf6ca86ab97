import { canonicalText, equalTo } from '../canonical-text.js';
import { FORMATS } from './formats.js';
import { isObject } from '../../wire/is-object.js';

/** The test of a keyword without subschemas, and the message for a value that fails. */
export type Assertion = readonly [holds: (value: unknown) => boolean, message: string];

export const TYPES: Record<string, readonly [holds: (value: unknown) => boolean, words: string]> = {
  string: [(value) => typeof value === 'string', 'a string'],
  number: [Number.isFinite, 'a number'],
  integer: [Number.isInteger, 'an integer'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  object: [isObject, 'an object'],
  array: [Array.isArray, 'an array'],
  null: [(value) => value === null, 'null'],
};

/** The keywords that check a value without subschemas. */
export const ASSERTIONS: Record<string, (argument: never) => Assertion> = {
  type: (types: string | readonly string[]) => typeAssertion([types].flat()),
  const: (expected: unknown) => [equalTo(expected), `must be ${JSON.stringify(expected)}`],
  enum: (members: readonly unknown[]) => enumAssertion(members),

  minimum: (limit: number) => number((value) => value >= limit, `at least ${limit}`),
  maximum: (limit: number) => number((value) => value <= limit, `at most ${limit}`),
  exclusiveMinimum: (limit: number) => number((value) => value > limit, `greater than ${limit}`),
  exclusiveMaximum: (limit: number) => number((value) => value < limit, `less than ${limit}`),
  multipleOf: (step: number) => number((value) => isMultiple(value, step), `a multiple of ${step}`),

  minLength: (limit: number) =>
    string((text) => !isShorter(text, limit), `must have at least ${count(limit, 'character')}`),
  maxLength: (limit: number) =>
    string((text) => isShorter(text, limit + 1), `must have at most ${count(limit, 'character')}`),
  pattern: (source: string) => {
    const pattern = new RegExp(source, 'u');
    return string((text) => pattern.test(text), `must match the pattern ${source}`);
  },

  minItems: (limit: number) =>
    array((items) => items.length >= limit, `must have at least ${count(limit, 'item')}`),
  maxItems: (limit: number) =>
    array((items) => items.length <= limit, `must have at most ${count(limit, 'item')}`),
  uniqueItems: (isDemanded: boolean) =>
    array((items) => !isDemanded || areUnique(items), 'must not have the same item twice'),

  minProperties: (limit: number) =>
    object((size) => size >= limit, `must have at least ${properties(limit)}`),
  maxProperties: (limit: number) =>
    object((size) => size <= limit, `must have at most ${properties(limit)}`),
};

/**
 * The same keywords for an output. The official clients check an output again, so a value that they would
 * refuse, after the tool has run, must not be sent.
 */
export const OUTPUT_ASSERTIONS: Record<string, (argument: never) => Assertion> = {
  ...ASSERTIONS,
  multipleOf: (step: number) =>
    number(
      (value) => isMultipleForClients(value, step),
      `a multiple of ${step}: clients ask that value / ${step} is exactly an integer`,
    ),
  format: (name: string) => {
    const message = `must have the format ${name}`;
    if (Object.hasOwn(FORMATS, name)) return string(FORMATS[name]!, message);
    return Object.hasOwn(INTEGERS, name)
      ? number(INTEGERS[name]!, `an ${name}`)
      : [() => true, message];
  },
};

const INTEGERS: { readonly [format: string]: (value: number) => boolean } = {
  int32: (value) => value === (value | 0),
  int64: Number.isInteger,
};

function typeAssertion(names: readonly string[]): Assertion {
  const types = names.map((name) => TYPES[name]!);
  const message = `must be ${types.map(([, words]) => words).join(' or ')}`;
  const [[holds] = []] = types;
  return holds && types.length === 1
    ? [holds, message]
    : [(value) => types.some(([isOfType]) => isOfType(value)), message];
}

function enumAssertion(members: readonly unknown[]): Assertion {
  const tests = members.map(equalTo);
  const words = members.map((member) => JSON.stringify(member)).join(', ');
  return [(value) => tests.some((isMember) => isMember(value)), `must be one of ${words}`];
}

function number(holds: (value: number) => boolean, words: string): Assertion {
  return [(value) => typeof value !== 'number' || holds(value), `must be ${words}`];
}

function string(holds: (text: string) => boolean, message: string): Assertion {
  return [(value) => typeof value !== 'string' || holds(value), message];
}

function array(holds: (items: readonly unknown[]) => boolean, message: string): Assertion {
  return [(value) => !Array.isArray(value) || holds(value), message];
}

function object(holds: (size: number) => boolean, message: string): Assertion {
  return [(value) => !isObject(value) || holds(Object.keys(value).length), message];
}

function count(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}

function properties(limit: number): string {
  return limit === 1 ? '1 property' : `${limit} properties`;
}

/**
 * Whether a text has fewer code points than the limit, as JSON Schema counts them. Counting those of a long
 * text is slow, and seldom needed.
 */
function isShorter(text: string, limit: number): boolean {
  if (text.length < limit) return true;
  return text.length < 2 * limit && Array.from(text).length < limit;
}

/**
 * Whether a value is a multiple of the step. The quotient of decimal fractions is often not an exact integer,
 * such as 0.0075 / 0.0001.
 */
function isMultiple(value: number, step: number): boolean {
  // This remainder is exact, and a large quotient has no room for a fraction.
  if (Number.isInteger(step)) return value % step === 0;
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.abs(quotient);
}

/**
 * Whether clients accept a value as a multiple of the step. ajv requires a quotient that is an integer, and
 * reads it from its text; @cfworker/json-schema requires a remainder near zero, or near the step.
 */
function isMultipleForClients(value: number, step: number): boolean {
  const quotient = value / step;
  const remainder = value % step;
  return (
    quotient === Number.parseInt(String(quotient), 10) &&
    Math.min(Math.abs(remainder), Math.abs(step - remainder)) < 1.192_092_9e-7
  );
}

function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map(canonicalText)).size === items.length;
}

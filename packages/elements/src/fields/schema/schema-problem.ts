import { msg, str } from '@lit/localize';
import { languageTag } from '../../base/text/language.js';
import { truncateText } from '../../base/text/truncate-text.js';
import {
  amountOf,
  entriesOf,
  numberOf,
  resolveSchema,
  schemaOf,
  type Schema,
} from './plain-schema.js';

/** How many schemas are looked at for one value; the server checks the rest. */
const MAX_STEPS = 2_000;

/** The server checks deeper values. */
const MAX_DEPTH = 40;

/** More entries of a list in a schema are not looked at. */
const MAX_ENTRIES = 500;

/** A schema, and the document that its references point into. */
interface SchemaInDocument {
  readonly schema: unknown;
  readonly root: unknown;
}

/**
 * Why JSON does not match its schema, and where; `undefined` if it does, and for what only the
 * server checks: formats, references to other documents, conditions (`if`, `not`), and more. A
 * keyword that has not the type that it should have is ignored.
 */
export function schemaProblem(
  value: unknown,
  { schema, root }: SchemaInDocument,
): string | undefined {
  return new SchemaCheck(root).check(value, schema, '');
}

class SchemaCheck {
  readonly #root: unknown;
  #stepsLeft = MAX_STEPS;
  #depth = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** @param place Where the value is, such as `people[0].name`. */
  check(value: unknown, schema: unknown, place: string): string | undefined {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0 || this.#depth >= MAX_DEPTH) return undefined;
    if (schema === false) return at(place, notAllowed());
    const own = resolveSchema(schema, this.#root);
    if (value === null && own['nullable'] === true) return undefined;
    this.#depth += 1;
    const problem = this.#problemIn(value, own, place);
    this.#depth -= 1;
    return problem;
  }

  #problemIn(value: unknown, schema: Schema, place: string): string | undefined {
    const own = ownProblem(value, schema);
    if (own !== undefined) return at(place, own);
    return this.#partsProblem(value, schema, place) ?? this.#innerProblem(value, schema, place);
  }

  /** The problem with the schemas that have to match the same value. */
  #partsProblem(value: unknown, schema: Schema, place: string): string | undefined {
    const matches = (one: unknown): boolean => this.check(value, one, place) === undefined;
    for (const keyword of ['anyOf', 'oneOf']) {
      const all = entriesOf(schema[keyword], MAX_ENTRIES);
      if (all.length > 0 && !all.some(matches)) return at(place, notAllowed());
    }
    return firstOf(entriesOf(schema['allOf'], MAX_ENTRIES), (one) => this.check(value, one, place));
  }

  #innerProblem(value: unknown, schema: Schema, place: string): string | undefined {
    if (Array.isArray(value)) return this.#itemsProblem(value, schema, place);
    if (typeof value !== 'object' || value === null) return undefined;
    return this.#membersProblem(Object.entries(value), schema, place);
  }

  #itemsProblem(values: readonly unknown[], schema: Schema, place: string): string | undefined {
    const first = entriesOf(schema['prefixItems'], MAX_ENTRIES);
    return firstOf(values, (value, index) => {
      const own = index < first.length ? first[index] : schema['items'];
      return own === undefined ? undefined : this.check(value, own, `${place}[${index}]`);
    });
  }

  #membersProblem(
    members: readonly [name: string, value: unknown][],
    { properties, additionalProperties, patternProperties }: Schema,
    place: string,
  ): string | undefined {
    const known = schemaOf(properties);
    const others = patternProperties === undefined ? additionalProperties : undefined;
    return firstOf(members, ([name, value]) => {
      const inner = place === '' ? shownName(name) : `${place}.${shownName(name)}`;
      if (Object.hasOwn(known, name)) return this.check(value, known[name], inner);
      if (others === false) return at(place, unknownName(shownName(name)));
      return others === undefined ? undefined : this.check(value, others, inner);
    });
  }
}

function firstOf<Item>(
  items: readonly Item[],
  problemOf: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The problem of a value apart from its members and entries. */
function ownProblem(value: unknown, schema: Schema): string | undefined {
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => TYPES[type]!(value)))
    return msg(str`The type must be: ${types.join(', ')}`, { id: 'mcp.field.type' });
  if (!isListed(value, schema)) return notAllowed();
  if (typeof value === 'string') return textProblem(schema, value);
  if (typeof value === 'number') return numberProblem(schema, value);
  if (Array.isArray(value)) return arrayProblem(value, schema);
  return typeof value === 'object' && value !== null ? missingProblem(value, schema) : undefined;
}

const TYPES: { readonly [type: string]: ((value: unknown) => boolean) | undefined } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  null: (value) => value === null,
};

/** The types that a schema allows; none if it does not say, or names one that JSON does not have. */
function typesOf({ type }: Schema): readonly string[] {
  const types = Array.isArray(type) ? entriesOf(type, 8) : [type];
  return types.every(isType) ? types : [];
}

function isType(type: unknown): type is string {
  return typeof type === 'string' && Object.hasOwn(TYPES, type);
}

/** Whether a value is one of `enum` or `const`. Whether two objects are the same, the server knows. */
function isListed(value: unknown, schema: Schema): boolean {
  const { enum: list, const: only } = schema;
  const values = Object.hasOwn(schema, 'const') ? [only] : entriesOf(list, MAX_ENTRIES);
  const isShort = !Array.isArray(list) || list.length <= MAX_ENTRIES;
  if (values.length === 0 || !isShort) return true;
  return values.some((one) => one === value || (typeof one === 'object' && one !== null));
}

function missingProblem(value: object, { required }: Schema): string | undefined {
  const missing = entriesOf(required, MAX_ENTRIES).find(
    (name) => typeof name === 'string' && !Object.hasOwn(value, name),
  );
  if (missing === undefined) return undefined;
  const name = shownName(missing as string);
  return msg(str`This name is missing: ${name}`, { id: 'mcp.field.missing' });
}

function notAllowed(): string {
  return msg('The schema does not allow this value.', { id: 'mcp.field.not-allowed' });
}

function unknownName(name: string): string {
  return msg(str`The schema does not have this name: ${name}`, { id: 'mcp.field.unknown-name' });
}

function at(place: string, problem: string): string {
  return place === '' ? problem : msg(str`${place}: ${problem}`, { id: 'mcp.field.at' });
}

function shownName(name: string): string {
  return truncateText(name, 60);
}

/** A longer pattern is left to the server. */
const MAX_PATTERN_LENGTH = 200;

/** How many attempts a pattern may take, so that all patterns of a form take a moment. */
const MAX_ATTEMPTS = 20_000;

/** The problem of an input that is not a number. */
export function numberFormProblem({ type }: Schema): string {
  return type === 'integer'
    ? msg('Enter a whole number.', { id: 'mcp.field.integer' })
    : msg('Enter a number.', { id: 'mcp.field.number' });
}

/** The problem of a text that is not within the bounds of its schema. */
export function textProblem(schema: Schema, text: string): string | undefined {
  const { pattern } = schema;
  const minLength = amountOf(schema['minLength']) ?? 0;
  const maxLength = amountOf(schema['maxLength']) ?? Infinity;
  const length = lengthOf(text, minLength, maxLength);
  if (length < minLength) {
    const least = formatBound(minLength);
    return msg(str`This is too short. Minimum length: ${least}`, { id: 'mcp.field.too-short' });
  }
  if (length > maxLength) return longProblem(length, maxLength);
  if (typeof pattern !== 'string' || matchesPattern(text, pattern)) return undefined;
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

/** The problem of a number that is not within the bounds of its schema. */
export function numberProblem(schema: Schema, value: number): string | undefined {
  const isInteger = schema['type'] === 'integer';
  if (!Number.isFinite(value) || (isInteger && !Number.isInteger(value)))
    return numberFormProblem(schema);
  if (isInteger && !Number.isSafeInteger(value)) return digitsProblem();
  return boundProblem(schema, value) ?? stepProblem(schema, value);
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
  // 0.3 / 0.1 is not 3.
  if (Math.abs(steps - Math.round(steps)) < 1e-9 * Math.max(1, Math.abs(steps))) return undefined;
  return msg(str`Enter a multiple of ${formatBound(step)}.`, { id: 'mcp.field.multiple' });
}

/** The problem of an array with too few, too many or equal entries. */
export function arrayProblem(values: readonly unknown[], schema: Schema): string | undefined {
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

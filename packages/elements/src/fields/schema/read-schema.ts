import { writeJson } from '../../base/text/json-text.js';
import {
  type Field,
  type FlagField,
  type Option,
  type TextControl,
  type TextField,
} from './field.js';
import { alternativeTitle, flagOptions, optionsOf } from './options.js';
import {
  amountOf,
  entriesOf,
  resolveSchema,
  schemaOf,
  separateNull,
  textOf,
  type Schema,
} from './plain-schema.js';

/** The limits of a form. More fields, or deeper ones, are shown as JSON. */
const MAX_FIELDS = 60;
const MAX_DEPTH = 6;

/** The maximum total length of the defaults of a form; further ones are left to the server. */
const MAX_DEFAULTS_LENGTH = 10_000;

/** The maximum number of values of all choices in a form together. A choice beyond it is shown as JSON. */
const MAX_OPTIONS = 500;

/** The maximum number of schemas of a choice that is shown. */
const MAX_ALTERNATIVES = 20;

/** The maximum length of a text with only one line. A text that may be longer has several lines. */
const MAX_LINE_LENGTH = 200;

/** The place of a field, which is known before its own schema is read. */
interface Place {
  readonly name: string;
  readonly isRequired: boolean;
  readonly depth: number;
}

type Facts = Omit<FlagField, 'kind'>;

/**
 * The fields of a form for a JSON Schema of a server, which may be wrong in any way. A part that the form
 * cannot show, or not within its limits, becomes a field for JSON.
 *
 * @param schema The schema of an object, such as the `inputSchema` of a tool.
 */
export function readSchema(schema: unknown): Field {
  const isObject = schemaOf(resolveSchema(schema, schema));
  // An object without properties has no fields; nested, it may have any members.
  const whole = isEmptyObject(isObject) ? { ...isObject, properties: {} } : schema;
  return new SchemaReader(schema).read(whole, { name: '', isRequired: true, depth: 0 });
}

function isEmptyObject({ type, properties, additionalProperties, ...rest }: Schema): boolean {
  const isMap = typeof additionalProperties === 'object' && additionalProperties !== null;
  const isOpen =
    isMap || ['patternProperties', 'oneOf', 'anyOf', 'enum', 'const'].some((one) => one in rest);
  return (type === undefined || type === 'object') && properties === undefined && !isOpen;
}

class SchemaReader {
  readonly #root: unknown;
  /** The number of fields that are left. The form itself counts as one. */
  #left = MAX_FIELDS + 1;
  #optionsLeft = MAX_OPTIONS;
  #defaultsLeft = MAX_DEFAULTS_LENGTH;

  constructor(root: unknown) {
    this.#root = root;
  }

  read(schema: unknown, place: Place): Field {
    this.#left -= 1;
    const { schema: own, isNullable } = separateNull(resolveSchema(schema, this.#root), this.#root);
    const facts: Facts = {
      name: place.name,
      title: textOf(own['title']) || textOf(place.name),
      description: textOf(own['description'], 500),
      isRequired: place.isRequired,
      isNullable,
      initial: this.#initialOf(own['default']),
      schema,
      own,
    };
    return this.#readKind(own, facts, place.depth) ?? { ...facts, kind: 'json' };
  }

  #readKind(schema: Schema, facts: Facts, depth: number): Field | undefined {
    const options = this.#optionsOf(schema);
    if (options) return { ...facts, kind: 'choice', options };
    const { type = 'properties' in schema ? 'object' : undefined } = schema;
    if (type === 'string') return readText(schema, facts);
    if (type === 'number' || type === 'integer') return { ...facts, kind: 'number' };
    if (type === 'boolean') return readFlag(facts);
    if (depth >= MAX_DEPTH) return undefined;
    if (
      Array.isArray(type) ||
      (!('properties' in schema) && ('oneOf' in schema || 'anyOf' in schema))
    )
      return this.#readUnion(schema, facts, depth);
    if (type === 'array') return this.#readList(schema, facts, depth);
    return type === 'object' ? this.#readGroup(schema, facts, depth) : undefined;
  }

  #readList(schema: Schema, facts: Facts, depth: number): Field | undefined {
    const { items, prefixItems } = schema;
    if (typeof items !== 'object' || items === null || Array.isArray(items) || prefixItems)
      return undefined;
    const options = this.#optionsOf(resolveSchema(items, this.#root));
    if (options) return { ...facts, kind: 'choices', options };
    const item = this.read(items, { name: facts.title, isRequired: true, depth: depth + 1 });
    return { ...facts, kind: 'list', item };
  }

  #readGroup(schema: Schema, facts: Facts, depth: number): Field | undefined {
    const { properties, required } = schema;
    if (properties === undefined) return undefined;
    const names = firstNames(schemaOf(properties), this.#left + 1);
    if (names.length > this.#left) return undefined;
    const needed = new Set(entriesOf(required, 1_000));
    const children = names.map((name) =>
      this.read((properties as Schema)[name], {
        name,
        isRequired: needed.has(name),
        depth: depth + 1,
      }),
    );
    return { ...facts, kind: 'group', children };
  }

  #readUnion(schema: Schema, facts: Facts, depth: number): Field | undefined {
    const { type, oneOf, anyOf, title: _title, description: _description, ...others } = schema;
    const { default: _default, ...rest } = others;
    const all = Array.isArray(type)
      ? entriesOf(type, MAX_ALTERNATIVES + 1).map((one) => ({ type: one }))
      : entriesOf(oneOf ?? anyOf, MAX_ALTERNATIVES + 1).map((one) =>
          resolveSchema(one, this.#root),
        );
    const own = all.filter((one) => one['type'] !== 'null');
    if (all.length > MAX_ALTERNATIVES || own.length < 2 || own.length > this.#left)
      return undefined;
    const beside = Array.isArray(type) ? rest : { type, ...rest };
    const fields = own.map((one) =>
      this.read({ ...beside, ...one }, { name: '', isRequired: true, depth: depth + 1 }),
    );
    if (fields.every(({ kind }) => kind === 'json')) return undefined;
    const alternatives = fields.map((one) => ({ ...one, title: alternativeTitle(one) }));
    const isNullable = facts.isNullable || own.length < all.length;
    return { ...facts, isNullable, kind: 'union', alternatives };
  }

  #optionsOf(schema: Schema): readonly Option[] | undefined {
    const options = optionsOf(schema);
    if (!options || options.length > this.#optionsLeft) return undefined;
    this.#optionsLeft -= options.length;
    return options;
  }

  /** A `default` that is short enough to be edited. */
  #initialOf(value: unknown): unknown {
    if (value === undefined) return undefined;
    const { text, isWhole } = writeJson(value, this.#defaultsLeft, 0);
    this.#defaultsLeft -= text.length;
    return isWhole ? value : undefined;
  }
}

function firstNames(properties: Schema, maxLength: number): string[] {
  const names: string[] = [];
  for (const name in properties) {
    if (names.length >= maxLength) break;
    names.push(name);
  }
  return names;
}

function readFlag(facts: Facts): Field {
  const hasValue = facts.isRequired || typeof facts.initial === 'boolean';
  return hasValue && !facts.isNullable
    ? { ...facts, kind: 'flag' }
    : { ...facts, kind: 'choice', options: flagOptions() };
}

const CONTROLS: { readonly [format: string]: TextControl | undefined } = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'date-time',
};

function readText(schema: Schema, facts: Facts): TextField {
  const { format } = schema;
  const known = typeof format === 'string' && Object.hasOwn(CONTROLS, format) && CONTROLS[format];
  const isLong = (amountOf(schema['maxLength']) ?? Infinity) > MAX_LINE_LENGTH;
  const control = known || (isLong && format === undefined ? 'lines' : 'line');
  return { ...facts, kind: 'text', control };
}

import type { Tool } from '@inpage-mcp/client';
import { byModelName, type NameRule } from './model-names.js';
import type { ToolSchema } from './vendor-types.js';

/** The keywords that the APIs refuse at the top of a schema. The server still enforces them. */
const REFUSED_AT_TOP = ['$schema', 'allOf', 'anyOf', 'oneOf', 'not', 'enum'];

/** The keywords that name arguments, which may have other names for a model. */
const NAMING = ['dependentRequired', 'dependentSchemas', 'patternProperties', 'propertyNames'];

/** An argument with which the client may repeat a call after a connection loss (docs/resources.md). */
const KEY = 'idempotencyKey';

const ARGUMENT_NAMES: NameRule = { refused: /[^\w.-]/g, start: /^./ };

/**
 * The schema of the arguments that a model fills in. It has no idempotency key, because models repeat a key
 * that they have invented, and then the second of two different calls would have no effect.
 */
export function schemaFor({ inputSchema }: Tool): {
  schema: ToolSchema;
  /** The original names of the arguments that have another name in the schema. */
  argumentNames: Map<string, string>;
} {
  const { required = [], properties = {}, ...rest } = inputSchema;
  // Some APIs refuse a required argument that has no schema.
  const schemas = new Map<string, unknown>(Object.entries(properties));
  for (const name of required) if (!schemas.has(name)) schemas.set(name, {});
  schemas.delete(KEY);
  const named = [...byModelName([...schemas.keys()], ARGUMENT_NAMES)];
  const modelNames = new Map(named.map(([name, own]) => [own, name]));
  const argumentNames = new Map(named.filter(([name, own]) => name !== own));
  const schema: ToolSchema = {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(named.map(([name, own]) => [name, schemas.get(own)])),
  };
  for (const keyword of REFUSED_AT_TOP) delete schema[keyword];
  if (argumentNames.size > 0) for (const keyword of NAMING) delete schema[keyword];
  // Some APIs also refuse a required argument that is listed twice.
  const demanded = new Set(required.flatMap((own) => modelNames.get(own) ?? []));
  if (demanded.size > 0) schema.required = [...demanded];
  return { schema: withTargets(schema, inputSchema), argumentNames };
}

/**
 * Matches references to the whole schema, or into it, except those to `$defs`. In a text, quotes are escaped.
 */
const INTO_WHOLE = /"\$ref":"#(?=["/])(?!\/\$defs\/)/g;

/**
 * The schema with its references changed to a copy of the original, because names and keywords may be missing
 * here.
 */
function withTargets(schema: ToolSchema, { $defs, ...whole }: Tool['inputSchema']): ToolSchema {
  const json = JSON.stringify(schema);
  // If the schema has `$id` or `$anchor`, a copy would repeat them.
  if (json.search(INTO_WHOLE) < 0 || /"\$(?:id|anchor)":/.test(json)) return schema;
  const defined = { ...schema, $defs: { ...($defs as object), _whole: whole } };
  return JSON.parse(
    JSON.stringify(defined).replaceAll(INTO_WHOLE, '$&/$defs/_whole'),
  ) as ToolSchema;
}

/**
 * A copy as JSON, without halves of characters, at which the parsers of some APIs refuse the request.
 *
 * @throws {TypeError} if the value is not JSON: a message on a port may have a cycle.
 */
export function jsonCopy<Value>(value: Value): Value {
  // In JSON, such a half is always escaped.
  const json = JSON.stringify(value).replaceAll(/\\(?:u[\da-f]{4}|.)/g, (escape) =>
    /^\\ud[89a-f]/.test(escape) ? '\uFFFD' : escape,
  );
  return JSON.parse(json) as Value;
}

/** The arguments of a model as the server knows them: by their own names, and with a new idempotency key. */
export function argumentsFor(
  { inputSchema: { properties } }: Tool,
  argumentNames: ReadonlyMap<string, string>,
  args: { [name: string]: unknown },
): { [name: string]: unknown } {
  const own = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [argumentNames.get(name) ?? name, value]),
  );
  const knowsKey = properties !== undefined && Object.hasOwn(properties, KEY);
  return knowsKey && own[KEY] === undefined ? { ...own, [KEY]: randomKey() } : own;
}

/** A random key. `crypto.randomUUID` does not exist on insecure origins. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

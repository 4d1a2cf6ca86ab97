import type { Tool } from '../api/tool-types.js';
import { byModelName, type NameRule } from './model-names.js';
import type { ToolSchema } from './vendor-types.js';

/** The keywords that the APIs refuse at the top of a schema. The server still enforces them. */
const REFUSED_AT_TOP = ['$schema', 'allOf', 'anyOf', 'oneOf', 'not', 'enum'];

/** An argument with which the client may repeat a call after a connection loss (docs/resources.md). */
const KEY = 'idempotencyKey';

const ARGUMENT_NAMES: NameRule = { refused: /[^\w.-]/g, start: /^./ };

/**
 * The schema of the arguments that a model fills in. It has no idempotency key: models use the same invented
 * key again, and then the second of two different calls would have no effect.
 */
export function schemaFor({ inputSchema }: Tool): {
  schema: ToolSchema;
  /** The own names of the arguments that have another name in the schema. */
  argumentNames: Map<string, string>;
} {
  const { required, properties = {}, ...rest } = inputSchema;
  const names = Object.keys(properties).filter((name) => name !== KEY);
  const named = [...byModelName(names, ARGUMENT_NAMES)];
  const schema: ToolSchema = {
    ...rest,
    properties: Object.fromEntries(named.map(([name, own]) => [name, properties[own]])),
  };
  for (const keyword of REFUSED_AT_TOP) delete schema[keyword];
  const modelNames = new Map(named.map(([name, own]) => [own, name]));
  if (required) {
    const others = required.filter((name) => name !== KEY);
    schema.required = others.map((own) => modelNames.get(own) ?? own);
  }
  return { schema, argumentNames: new Map(named.filter(([name, own]) => name !== own)) };
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

/** `crypto.randomUUID` does not exist on insecure origins. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

import type { Tool } from '../api/tool-types.js';
import type { ToolSchema } from './vendor-types.js';

/** The keywords that the APIs refuse at the top of a schema. The server still enforces them. */
const REFUSED_AT_TOP = ['$schema', 'allOf', 'anyOf', 'oneOf', 'not', 'enum'];

/** An argument with which the client may repeat a call after a connection loss (docs/resources.md). */
const KEY = 'idempotencyKey';

/**
 * The schema of the arguments that a model fills in. It has no idempotency key: models use the same invented
 * key again, and then the second of two different calls would have no effect.
 */
export function schemaFor({ inputSchema }: Tool): ToolSchema {
  const { required, ...rest } = inputSchema;
  const schema: ToolSchema = { ...rest, properties: { ...inputSchema.properties } };
  for (const keyword of REFUSED_AT_TOP) delete schema[keyword];
  delete schema.properties[KEY];
  if (required) schema.required = required.filter((name) => name !== KEY);
  return schema;
}

/** The arguments with a new idempotency key, if the tool has this argument. */
export function withKey(
  { inputSchema: { properties } }: Tool,
  args: { [name: string]: unknown },
): { [name: string]: unknown } {
  const knowsKey = properties !== undefined && Object.hasOwn(properties, KEY);
  return knowsKey && args[KEY] === undefined ? { ...args, [KEY]: randomKey() } : args;
}

/** `crypto.randomUUID` does not exist on insecure origins. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

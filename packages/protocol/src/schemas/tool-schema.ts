import type { OutputOf } from './infer.js';
import { librarySchema } from './library-schema.js';
import { plainSchema } from './plain-schema.js';
import type { JsonSchema, Schema, SchemaSource, StandardSchema } from './types.js';

/**
 * The schema of a tool's arguments, which are always an object: a root without a `type` gets `type:
 * 'object'`.
 *
 * @throws TypeError if the root is of another type, if a plain schema is not a JSON Schema 2020-12 or forbids
 *   a default of its own, or if a library's schema does not state its JSON Schema. If a library cannot
 *   express the schema, its error is rethrown.
 */
export function inputSchema<const Source extends SchemaSource>(
  source: Source,
): Schema<OutputOf<Source>> {
  return toolSchema(source, 'input') as Schema<OutputOf<Source>>;
}

/**
 * The schema of a tool's structured result. Its root gets `type: 'object'` only if nothing but an
 * object can be valid. Values are checked as strictly as the official clients check them, and a plain schema
 * leaves out the members that it does not name.
 *
 * @throws The same as {@link inputSchema}, for any type of the root.
 */
export function outputSchema<const Source extends SchemaSource>(
  source: Source,
): Schema<OutputOf<Source>> {
  return toolSchema(source, 'output') as Schema<OutputOf<Source>>;
}

function toolSchema(source: SchemaSource, direction: 'input' | 'output'): Schema {
  return isStandardSchema(source)
    ? librarySchema(source, direction)
    : plainSchema(source, direction);
}

function isStandardSchema(source: SchemaSource): source is StandardSchema {
  return '~standard' in (source as JsonSchema);
}

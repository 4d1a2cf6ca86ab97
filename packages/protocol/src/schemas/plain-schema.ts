import { asJson } from './as-json.js';
import { compileSchema } from './compile-schema.js';
import { defaultsOf } from './defaults.js';
import { isObject } from '../wire/is-object.js';
import { checkSchema } from './meta-schema.js';
import { leaveOutUnnamed } from './named-members.js';
import { objectRoot } from './object-root.js';
import { mapSubschemas } from './subschemas.js';
import type { Checked, JsonSchema, Schema } from './types.js';
import { checkBy } from './validation.js';

/** A plain JSON Schema. It is compiled at once, so that an invalid one is found where it is defined. */
export function plainSchema(source: JsonSchema, direction: 'input' | 'output'): Schema {
  checkSchema(source);
  const root = objectRoot(source, direction);
  return { jsonSchema: omitErrorMessages(root), check: checkOf(root, direction) };
}

function checkOf(root: JsonSchema, direction: 'input' | 'output'): (value: unknown) => Checked {
  const fillDefaults = defaultsOf(root);
  const test = compileSchema(root, direction === 'input');
  if (direction === 'input') return (value) => checkBy(test, fillDefaults(value));
  const leaveOut = leaveOutUnnamed(root);
  return (value) => {
    const json = asJson(value);
    if (json.issues) return json;
    leaveOut(json.value);
    return checkBy(test, fillDefaults(json.value));
  };
}

/** Omits `errorMessage`, which only the server uses: it is not a keyword of JSON Schema. */
function omitErrorMessages(schema: JsonSchema): JsonSchema {
  const { errorMessage: _, ...published } = mapSubschemas(schema, (subschema) =>
    isObject(subschema) ? omitErrorMessages(subschema) : subschema,
  );
  return published;
}

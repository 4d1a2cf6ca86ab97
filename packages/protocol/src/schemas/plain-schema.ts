import { asJson } from './as-json.js';
import { compileSchema } from './compile-schema.js';
import { defaultsOf } from './defaults.js';
import { isObject } from '../wire/is-object.js';
import { checkSchema } from './meta-schema.js';
import { objectRoot } from './object-root.js';
import { mapSubschemas } from './subschemas.js';
import type { Checked, JsonSchema, Schema } from './types.js';
import { Validation } from './validation.js';

/** A plain JSON Schema. It is compiled at once, so that an invalid one is found where it is defined. */
export function plainSchema(source: JsonSchema, direction: 'input' | 'output'): Schema {
  checkSchema(source);
  const root = objectRoot(source, direction);
  return { jsonSchema: omitErrorMessages(root), check: checkOf(root, direction) };
}

function checkOf(root: JsonSchema, direction: 'input' | 'output'): (value: unknown) => Checked {
  const fillDefaults = defaultsOf(root);
  const test = compileSchema(root, direction === 'input');
  return (value) => {
    const json = direction === 'output' ? asJson(value) : { value };
    if (json.issues) return json;
    const filled = fillDefaults(json.value);
    const validation = new Validation();
    return test(filled, validation)
      ? { value: filled }
      : { issues: validation.issuesOf(test, filled) };
  };
}

/** Omits `errorMessage`, which only the server uses: it is not a keyword of JSON Schema. */
function omitErrorMessages(schema: JsonSchema): JsonSchema {
  const { errorMessage: _, ...published } = mapSubschemas(schema, (subschema) =>
    isObject(subschema) ? omitErrorMessages(subschema) : subschema,
  );
  return published;
}

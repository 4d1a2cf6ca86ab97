import { asJson } from './as-json.js';
import { compiler } from './compile-schema.js';
import { checkDefaults, defaultsOf } from './defaults.js';
import { isObject } from '../wire/is-object.js';
import { schemaError } from './issues-text.js';
import { checkSchema } from './meta-schema.js';
import { leaveOutUnnamed } from './named-members.js';
import { objectRoot } from './object-root.js';
import { References } from './references.js';
import { mapSubschemas } from './subschemas.js';
import type { Checked, JsonSchema, Schema } from './types.js';
import { checkBy } from './validation.js';

/** Compiles a plain JSON Schema at once, so that an invalid one is found where it is defined. */
export function plainSchema(source: JsonSchema, direction: 'input' | 'output'): Schema {
  // A schema may for example contain itself, which no message can represent.
  const { issues } = asJson(source);
  if (issues) throw schemaError([], issues);
  checkSchema(source, direction === 'input');
  const root = objectRoot(source, direction);
  return { jsonSchema: omitErrorMessages(root), check: checkOf(root, direction) };
}

function checkOf(root: JsonSchema, direction: 'input' | 'output'): (value: unknown) => Checked {
  const references = new References(root);
  references.addTargets();
  const testOf = compiler(references, direction === 'input');
  const test = testOf(root);
  checkDefaults(references, testOf);
  const fillDefaults = defaultsOf(root, references);
  if (direction === 'input') return (value) => checkBy(test, fillDefaults(value));
  const leaveOut = leaveOutUnnamed(root, references);
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

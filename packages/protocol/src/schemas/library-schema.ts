import { isObject } from '../wire/is-object.js';
import { asJson } from './as-json.js';
import { compileSchema } from './compile-schema.js';
import { objectRoot } from './object-root.js';
import type { Checked, Issue, JsonSchema, Schema, StandardIssue, StandardSchema } from './types.js';
import { unknownProperties } from './unknown-properties.js';
import { checkBy } from './validation.js';

/** The maximum length of a message. A library may repeat the caller's value in it, at any length. */
const MAX_MESSAGE_LENGTH = 300;

/**
 * A schema of a library, which validates values itself. An output is checked by its JSON Schema, too, as
 * clients do, because a library may accept more, such as other forms of a `format`.
 */
export function librarySchema(source: StandardSchema, direction: 'input' | 'output'): Schema {
  const jsonSchema = objectRoot(jsonSchemaOf(source, direction), direction);
  const test = direction === 'output' ? compileSchema(jsonSchema, false) : undefined;
  const toChecked = (result: Awaited<Validated>, value: unknown): Checked => {
    if (result.issues) return { issues: issuesOf(result.issues, test ? {} : jsonSchema, value) };
    if (!test) return { value: result.value };
    const json = asJson(result.value);
    return json.issues ? json : checkBy(test, json.value);
  };
  return {
    jsonSchema,
    check(value) {
      const result = source['~standard'].validate(value);
      return result instanceof Promise
        ? result.then((awaited) => toChecked(awaited, value))
        : toChecked(result, value);
    },
  };
}

type Validated = ReturnType<StandardSchema['~standard']['validate']>;

function jsonSchemaOf(source: StandardSchema, direction: 'input' | 'output'): JsonSchema {
  const { jsonSchema, vendor } = source['~standard'] as Partial<StandardSchema['~standard']>;
  if (!jsonSchema) {
    throw new TypeError(
      `The schema (of ${vendor}) does not state its JSON Schema: "~standard".jsonSchema is missing. ` +
        'Update the library (zod 4.2, ArkType 2.1.28 or later). A schema of Valibot has to be ' +
        'wrapped in toStandardJsonSchema, from @valibot/to-json-schema.',
    );
  }
  return jsonSchema[direction]({ target: 'draft-2020-12' });
}

/**
 * The issues of a library's result. Libraries report unknown properties in many ways, at full length, so one
 * message replaces them.
 */
function issuesOf(
  reported: readonly StandardIssue[],
  { additionalProperties, properties }: JsonSchema,
  value: unknown,
): Issue[] {
  const issues = reported.map(issueOf);
  if (additionalProperties !== false || !isObject(properties) || !isObject(value)) return issues;
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  const others = issues.filter(
    ({ path }) => path.length > 0 && !unknown.includes(path[0] as string),
  );
  if (unknown.length === 0 || others.length === issues.length) return issues;
  const message = unknownProperties(unknown, Object.keys(properties), true);
  return [...others, { path: [], message }];
}

function issueOf({ path = [], message }: StandardIssue): Issue {
  return {
    path: path.map((step) => (typeof step === 'object' ? step.key : step)),
    message: message.replaceAll(/\s+/g, ' ').slice(0, MAX_MESSAGE_LENGTH),
  };
}

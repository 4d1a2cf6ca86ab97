import { isObject } from '../../wire/is-object.js';
import { knownProperties } from '../known-properties.js';
import type { Applicator, Place } from '../place.js';
import { isEvaluated } from './unevaluated.js';
import type { JsonSchema } from '../types.js';
import { unknownProperties } from '../unknown-properties.js';
import type { Test, Validation } from '../validation.js';

/** The keywords that check the members of objects. */
export const OBJECT_KEYWORDS: Record<string, Applicator> = {
  required: (names: readonly string[]) => {
    return onObjects((object, validation) =>
      validation.every(names, (name) => has(object, name) || validation.fail('is missing', name)),
    );
  },
  properties: (schemas: JsonSchema, place) => {
    const tests = namedTests(schemas, place);
    return onObjects((object, validation) =>
      validation.every(
        tests,
        ({ name, test }) => !has(object, name) || validation.member(name, object[name], test),
      ),
    );
  },
  patternProperties: (schemas: JsonSchema, place) => {
    const tests = Object.entries(schemas).map(([source, schema]) => ({
      pattern: new RegExp(source, 'u'),
      test: place.testOf(schema),
    }));
    return onObjects((object, validation) =>
      validation.every(Object.keys(object), (name) =>
        validation.every(
          tests,
          ({ pattern, test }) => !pattern.test(name) || validation.member(name, object[name], test),
        ),
      ),
    );
  },
  additionalProperties: (schema: unknown, place) => {
    const isKnown = knownProperties(place.schema);
    return otherProperties(schema, place, () => isKnown);
  },
  unevaluatedProperties: (schema: unknown, place) =>
    otherProperties(schema, place, (object, validation) => isEvaluated(object, place, validation)),
  propertyNames: (schema: unknown, place) => {
    const test = place.testOf(schema);
    return onObjects((object, validation) =>
      validation.every(
        Object.keys(object),
        (name) =>
          validation.isValid(test, name) || validation.fail('has a name that is not allowed', name),
      ),
    );
  },
  dependentRequired: (lists: Readonly<Record<string, readonly string[]>>) => {
    const dependent = Object.entries(lists);
    return onObjects((object, validation) =>
      validation.every(
        dependent,
        ([name, names]) =>
          !has(object, name) ||
          validation.every(
            names,
            (other) => has(object, other) || validation.fail('is missing', other),
          ),
      ),
    );
  },
  dependentSchemas: (schemas: JsonSchema, place) => {
    const tests = namedTests(schemas, place);
    return onObjects((object, validation) =>
      validation.every(tests, ({ name, test }) => !has(object, name) || test(object, validation)),
    );
  },
};

type ObjectTest = (object: JsonSchema, validation: Validation) => boolean;

function onObjects(test: ObjectTest): Test {
  return (value, validation) => !isObject(value) || test(value, validation);
}

/**
 * Whether an object has a property. As in `JSON.stringify`, a property whose value is `undefined` does not
 * exist.
 */
function has(object: JsonSchema, name: string): boolean {
  return object[name] !== undefined && Object.hasOwn(object, name);
}

function namedTests(schemas: JsonSchema, place: Place): { name: string; test: Test }[] {
  return Object.entries(schemas).map(([name, schema]) => ({ name, test: place.testOf(schema) }));
}

function otherProperties(
  schema: unknown,
  place: Place,
  known: (object: JsonSchema, validation: Validation) => (name: string) => boolean,
): Test {
  const test = place.testOf(schema);
  return onObjects((object, validation) => {
    const isKnown = known(object, validation);
    const others = Object.keys(object).filter((name) => has(object, name) && !isKnown(name));
    if (schema !== false) {
      return validation.every(others, (name) => validation.member(name, object[name], test));
    }
    if (others.length === 0) return true;
    const names = Object.keys(place.schema['properties'] ?? {});
    const message = unknownProperties(others, names, place.isInput && validation.isAtRoot);
    return validation.fail(message);
  });
}

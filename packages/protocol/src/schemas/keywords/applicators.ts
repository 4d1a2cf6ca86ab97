import { ARRAY_KEYWORDS } from './array-keywords.js';
import { OBJECT_KEYWORDS } from './object-keywords.js';
import type { Applicator } from '../place.js';
import type { Test } from '../validation.js';

const IN_PLACE: Record<string, Applicator> = {
  allOf: (schemas: readonly unknown[], place) => {
    const tests = schemas.map(place.testOf);
    return (value, validation) => validation.every(tests, (test) => test(value, validation));
  },
  anyOf: (schemas: readonly unknown[], place) => {
    const tests = schemas.map(place.testOf);
    return (value, validation) =>
      tests.some((test) => validation.isValid(test, value)) || validation.failUnion(tests, value);
  },
  oneOf: (schemas: readonly unknown[], place) => {
    const tests = schemas.map(place.testOf);
    return (value, validation) => {
      const matches = tests.filter((test) => validation.isValid(test, value)).length;
      if (matches === 0) return validation.failUnion(tests, value);
      return matches === 1 || validation.fail('has more than one of the allowed forms');
    };
  },
  not: (schema: unknown, place) => {
    const test = place.testOf(schema);
    return (value, validation) =>
      !validation.isValid(test, value) || validation.fail('has a form that is not allowed');
  },
  if: (schema: unknown, place) => {
    const [condition, onTrue, onFalse] = [
      schema,
      place.schema['then'] ?? true,
      place.schema['else'] ?? true,
    ].map(place.testOf) as [Test, Test, Test];
    return (value, validation) =>
      (validation.isValid(condition, value) ? onTrue : onFalse)(value, validation);
  },
  $ref: (reference: string, place) => {
    const test = place.testOf(place.target(reference, place.schema));
    return (value, validation) => validation.once(test, value);
  },
};

/** The keywords that apply other schemas, to the value itself or to its members. */
export const APPLICATORS: Record<string, Applicator> = {
  ...IN_PLACE,
  ...OBJECT_KEYWORDS,
  ...ARRAY_KEYWORDS,
};

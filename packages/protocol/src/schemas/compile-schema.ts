import { APPLICATORS } from './keywords/applicators.js';
import { ASSERTIONS, OUTPUT_ASSERTIONS } from './keywords/assertions.js';
import { isObject } from '../wire/is-object.js';
import type { Place } from './place.js';
import { References } from './references.js';
import type { JsonSchema } from './types.js';
import type { Test } from './validation.js';

/**
 * Compiles a JSON Schema 2020-12, without `$dynamicRef`, into a test. Annotations check nothing; for an
 * input, `format` is an annotation.
 *
 * A schema may set its own message for a keyword, in `errorMessage`, which is not a keyword of JSON
 * Schema: `{ pattern: '^[a-z]*$', errorMessage: { pattern: '…' } }`.
 *
 * @param root A schema that `checkSchema` accepts.
 * @throws TypeError if a `$ref` does not point into it; SyntaxError if a pattern is not a regular
 *   expression.
 */
export function compileSchema(root: JsonSchema, isInput: boolean): Test {
  return compiler(new References(root), isInput)(root);
}

/** Compiles the schemas of `references`, each once. */
export function compiler(references: References, isInput: boolean): (schema: unknown) => Test {
  const tests = new Map<unknown, Test>();
  const testOf = (schema: unknown): Test => {
    const known = tests.get(schema);
    if (known) return known;
    // A schema may contain itself: until it is compiled, this test looks up the compiled one.
    tests.set(schema, (value, validation) => testOf(schema)(value, validation));
    const test = compile(schema, place);
    tests.set(schema, test);
    return test;
  };
  const place = {
    isInput,
    testOf,
    target: (reference: string, from: JsonSchema) => references.target(reference, from),
  };
  return testOf;
}

function compile(schema: unknown, common: Omit<Place, 'schema'>): Test {
  if (schema === true) return () => true;
  if (schema === false) return (_value, validation) => validation.fail('is not allowed');
  const place = { ...common, schema: schema as JsonSchema };
  const { type, ...others } = place.schema;
  const [typeTest = () => true] = keywordTests({ type }, place);
  const tests = keywordTests(others, place);
  // If the type is wrong, no other keyword is checked.
  return (value, validation) =>
    typeTest(value, validation) && validation.every(tests, (test) => test(value, validation));
}

function keywordTests(keywords: JsonSchema, place: Place): Test[] {
  const { errorMessage } = place.schema;
  const ownMessages = isObject(errorMessage) ? errorMessage : {};
  return Object.entries(keywords).flatMap(([keyword, argument]) => {
    const test = argument === undefined ? undefined : keywordTest(keyword, argument, place);
    const message = ownMessages[keyword];
    if (!test || typeof message !== 'string') return test ?? [];
    return (value, validation) => validation.isValid(test, value) || validation.fail(message);
  });
}

function keywordTest(keyword: string, argument: unknown, place: Place): Test | undefined {
  const assertions = place.isInput ? ASSERTIONS : OUTPUT_ASSERTIONS;
  if (Object.hasOwn(assertions, keyword)) {
    const [holds, message] = assertions[keyword]!(argument as never);
    return (value, validation) => holds(value) || validation.fail(message);
  }
  return Object.hasOwn(APPLICATORS, keyword)
    ? APPLICATORS[keyword]!(argument as never, place)
    : undefined;
}

import type { Applicator } from '../place.js';
import { isEvaluated } from './unevaluated.js';
import type { Test, Validation } from '../validation.js';

/** The keywords that check the items of arrays. */
export const ARRAY_KEYWORDS: Record<string, Applicator> = {
  prefixItems: (schemas: readonly unknown[], place) => {
    const tests = schemas.map(place.testOf);
    return onArrays((items, validation) =>
      validation.every([...tests.slice(0, items.length).entries()], ([index, test]) =>
        validation.member(index, items[index], test),
      ),
    );
  },
  items: (schema: unknown, { schema: { prefixItems = [] }, testOf }) => {
    const test = testOf(schema);
    const start = (prefixItems as readonly unknown[]).length;
    return onArrays((items, validation) =>
      everyItem(items, validation, test, (index) => index >= start),
    );
  },
  unevaluatedItems: (schema: unknown, place) => {
    const test = place.testOf(schema);
    return onArrays((items, validation) => {
      const isKnown = isEvaluated(items, place, validation);
      return everyItem(items, validation, test, (index) => !isKnown(String(index)));
    });
  },
  contains: (schema: unknown, place) => {
    const { minContains = 1, maxContains = Infinity } = place.schema as ContainsLimits;
    const test = place.testOf(schema);
    const message = containsMessage(minContains, maxContains);
    return onArrays((items, validation) => {
      const count = items.filter((item) => validation.isValid(test, item)).length;
      return (count >= minContains && count <= maxContains) || validation.fail(message);
    });
  },
};

interface ContainsLimits {
  readonly minContains?: number;
  readonly maxContains?: number;
}

function containsMessage(min: number, max: number): string {
  const most = max === Infinity ? '' : ` and at most ${max}`;
  return `must have at least ${min}${most} of the items that are asked for`;
}

function onArrays(test: (items: readonly unknown[], validation: Validation) => boolean): Test {
  return (value, validation) => !Array.isArray(value) || test(value, validation);
}

function everyItem(
  items: readonly unknown[],
  validation: Validation,
  test: Test,
  isAffected: (index: number) => boolean,
): boolean {
  let isValid = true;
  for (const [index, item] of items.entries()) {
    if (!isAffected(index) || validation.member(index, item, test)) continue;
    if (!validation.collects) return false;
    isValid = false;
  }
  return isValid;
}

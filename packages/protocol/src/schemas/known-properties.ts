import type { JsonSchema } from './types.js';

/** Returns a test of whether a schema describes a property, by its name or by a pattern. */
export function knownProperties({
  properties = {},
  patternProperties = {},
}: JsonSchema): (name: string) => boolean {
  const patterns = Object.keys(patternProperties as object).map(
    (source) => new RegExp(source, 'u'),
  );
  return (name) =>
    Object.hasOwn(properties as object, name) || patterns.some((pattern) => pattern.test(name));
}

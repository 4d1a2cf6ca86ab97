import { amountOf, numberOf, type Schema } from './plain-schema.js';

/** How long a text may be, and what it looks like. */
export interface TextBounds {
  /** In characters (Unicode code points), as in JSON Schema. */
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** A regular expression, not anchored; as the schema has it. */
  readonly pattern: string | undefined;
}

/** The bounds of a number. */
export interface NumberBounds {
  readonly isInteger: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly above: number | undefined;
  readonly below: number | undefined;
  readonly multipleOf: number | undefined;
}

/** How many entries an array has. */
export interface AmountBounds {
  readonly minItems: number;
  readonly maxItems: number | undefined;
}

/** What a schema says about a string. */
export function textBoundsOf({ minLength, maxLength, pattern }: Schema): TextBounds {
  return {
    minLength: amountOf(minLength),
    maxLength: amountOf(maxLength),
    pattern: typeof pattern === 'string' && pattern !== '' ? pattern : undefined,
  };
}

/** What a schema says about a number. */
export function numberBoundsOf(schema: Schema): NumberBounds {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = numberOf(multipleOf) ?? 0;
  return {
    isInteger: type === 'integer',
    minimum: numberOf(minimum),
    maximum: numberOf(maximum),
    above: numberOf(exclusiveMinimum),
    below: numberOf(exclusiveMaximum),
    multipleOf: step > 0 ? step : undefined,
  };
}

/** What a schema says about the length of an array. */
export function amountBoundsOf({ minItems, maxItems }: Schema): AmountBounds {
  return { minItems: amountOf(minItems) ?? 0, maxItems: amountOf(maxItems) };
}

import type { JsonSchema } from './types.js';
import type { Test } from './validation.js';

/** Where a keyword stands, and what its test is made from. */
export interface Place {
  /** The schema that the keyword stands in. */
  readonly schema: JsonSchema;
  /** Whether the root schema describes the arguments of a tool. */
  readonly isInput: boolean;
  /** The test of another schema. */
  readonly testOf: (schema: unknown) => Test;
  /** What a `$ref` in the given schema leads to. */
  readonly target: (reference: string, from: JsonSchema) => unknown;
}

/** Makes the test of a keyword that leads to other schemas. */
export type Applicator = (argument: never, place: Place) => Test;

import type { JsonSchema } from './types.js';
import type { Test } from './validation.js';

/** The context of a keyword, from which its test is made. */
export interface Place {
  /** The schema that contains the keyword. */
  readonly schema: JsonSchema;
  /** Whether the root schema describes the arguments of a tool. */
  readonly isInput: boolean;
  /** The test of another schema. */
  readonly testOf: (schema: unknown) => Test;
  /** The target of a `$ref` in the schema `from`. */
  readonly target: (reference: string, from: JsonSchema) => unknown;
}

/** A function that makes the test of a keyword that applies other schemas. */
export type Applicator = (argument: never, place: Place) => Test;

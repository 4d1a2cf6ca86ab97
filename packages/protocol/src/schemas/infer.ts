import type { StandardSchema } from './types.js';

/**
 * The type of the values that `Source` accepts. Properties with a default may be absent.
 *
 * From a JSON Schema, `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`,
 * `items`, `anyOf` and `oneOf` are inferred; anything else is `unknown`. The schema must be a
 * literal: an argument of a function with a `const` type parameter, or `as const`.
 */
export type InputOf<Source> =
  Source extends StandardSchema<infer Input, unknown> ? Input : FromJsonSchema<Source, 'input'>;

/** The type that the check of `Source` returns: the same as `InputOf`, with defaults present. */
export type OutputOf<Source> =
  Source extends StandardSchema<unknown, infer Output> ? Output : FromJsonSchema<Source, 'output'>;

type Direction = 'input' | 'output';

/**
 * The type by a JSON Schema. Each keyword narrows independently, as in JSON Schema itself; an absent keyword
 * is `unknown`.
 */
type FromJsonSchema<Source, To extends Direction> = Source extends false
  ? never
  : FromType<Source, To> & FromValues<Source> & FromUnion<Source, To>;

type FromType<Source, To extends Direction> = Source extends { readonly type: infer Name }
  ? FromTypeName<Name extends readonly (infer Member)[] ? Member : Name, Source, To>
  : unknown;

type FromTypeName<Name, Source, To extends Direction> = Name extends 'object'
  ? FromObject<Source, To>
  : Name extends 'array'
    ? FromArray<Source, To>
    : Name extends keyof Primitives
      ? Primitives[Name]
      : unknown;

interface Primitives {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type FromValues<Source> = (Source extends { readonly const: infer Value } ? Value : unknown) &
  (Source extends { readonly enum: readonly (infer Value)[] } ? Value : unknown);

type FromUnion<Source, To extends Direction> = (Source extends {
  readonly anyOf: readonly (infer Member)[];
}
  ? FromEach<Member, To>
  : unknown) &
  (Source extends { readonly oneOf: readonly (infer Member)[] } ? FromEach<Member, To> : unknown);

type FromEach<Member, To extends Direction> = Member extends unknown
  ? FromJsonSchema<Member, To>
  : never;

type FromArray<Source, To extends Direction> = Source extends { readonly prefixItems: unknown }
  ? unknown[]
  : Source extends { readonly items: infer Items }
    ? FromJsonSchema<Items, To>[]
    : unknown[];

type FromObject<Source, To extends Direction> = Source extends { readonly properties: infer Known }
  ? Simplify<FromProperties<Known, PresentKeys<Known, Source, To>, To>> &
      FromAdditional<Source, Known, To>
  : Simplify<FromProperties<unknown, RequiredKeys<Source>, To>> & FromAdditionalAlone<Source, To>;

/** The type by the properties. A required property that is not described may have any value. */
type FromProperties<Known, Present extends PropertyKey, To extends Direction> = {
  -readonly [Key in keyof Known as Key extends Present ? Key : never]: FromJsonSchema<
    Known[Key],
    To
  >;
} & {
  -readonly [Key in keyof Known as Key extends Present ? never : Key]?: FromJsonSchema<
    Known[Key],
    To
  >;
} & { [Key in Exclude<Present, keyof Known>]: unknown };

type PresentKeys<Known, Source, To extends Direction> = To extends 'output'
  ? RequiredKeys<Source> | DefaultedKeys<Known>
  : Exclude<RequiredKeys<Source>, DefaultedKeys<Known>>;

type RequiredKeys<Source> = Source extends { readonly required: readonly (infer Key)[] }
  ? Extract<Key, string>
  : never;

type DefaultedKeys<Known> = {
  [Key in keyof Known]: Known[Key] extends { readonly default: unknown } ? Key : never;
}[keyof Known];

/** The type by the other properties, whose types must be compatible with the described ones. */
type FromAdditional<Source, Known, To extends Direction> = Source extends {
  readonly additionalProperties: infer Others;
}
  ? Others extends false
    ? unknown
    : Record<string, FromJsonSchema<Others, To> | FromEach<Known[keyof Known], To>>
  : unknown;

type FromAdditionalAlone<Source, To extends Direction> = Source extends {
  readonly additionalProperties: infer Others;
}
  ? Others extends false
    ? unknown
    : Record<string, FromJsonSchema<Others, To>>
  : Record<string, unknown>;

type Simplify<Type> = { [Key in keyof Type]: Type[Key] };

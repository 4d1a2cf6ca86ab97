/**
 * A JSON Schema 2020-12 that is an object. Unknown keywords are annotations. `errorMessage` is our
 * own keyword: the messages for values that fail a keyword, by keyword. It is not published.
 */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The options with which a library states its JSON Schema. */
export interface JsonSchemaOptions {
  readonly target: 'draft-2020-12';
}

/**
 * A schema of a library such as zod 4, ArkType or Valibot: Standard Schema v1 with Standard JSON
 * Schema (https://standardschema.dev). `Input` is the type before validation, `Output` the type
 * after it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The members that the two standards define. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** The conversions to JSON Schema. Each throws if the library cannot express the schema. */
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The result of a library. If the value is valid, it has no `issues`. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** The reason why a value is invalid for a library, and the place. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema of the input or output of a tool. */
export type SchemaSource = JsonSchema | StandardSchema;

/** The reason why a value is invalid, and the place: `path` is its path from the root. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A valid value, with defaults filled in, or at least one issue. */
export type Checked<Value = unknown> =
  { readonly value: Value; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

/** The compiled schema of an input or output: for the list of tools, and for a call. */
export interface Schema<Value = unknown> {
  /** The published schema, with `type: 'object'` at its root for an input. */
  readonly jsonSchema: JsonSchema;
  /**
   * Checks a value without changing it. The value of an output is JSON. With a plain JSON Schema, the check is synchronous; for
   * other schemas, the library decides, and its errors are rethrown.
   */
  check(value: unknown): Checked<Value> | Promise<Checked<Value>>;
}

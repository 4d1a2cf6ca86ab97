/**
 * A JSON Schema 2020-12 that is an object. It may have any keyword: those that are not known only
 * annotate. `errorMessage` is ours: the words for a value that fails a keyword, by keyword. It is not
 * published.
 */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** What a library is asked for when it is to state its JSON Schema. */
export interface JsonSchemaOptions {
  readonly target: 'draft-2020-12';
}

/**
 * A schema of a library such as zod 4, ArkType or Valibot: Standard Schema v1 with Standard JSON
 * Schema (https://standardschema.dev). `Input` is what may be passed, `Output` what validation
 * makes of it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Each throws if the library cannot express the schema. */
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a library finds. There are no `issues` if the value is valid. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Why a library refuses a value, and where. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What describes the input or output of a tool. */
export type SchemaSource = JsonSchema | StandardSchema;

/** Why a value is refused, and where: `path` leads to it from the root. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A valid value, with defaults filled in, or at least one reason why it is not valid. */
export type Checked<Value = unknown> =
  { readonly value: Value; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

/** The input or output of a tool: for the list of tools, and for a call. */
export interface Schema<Value = unknown> {
  /** What is published, with `type: 'object'` at its root for an input. */
  readonly jsonSchema: JsonSchema;
  /**
   * Checks a value without changing it. A plain JSON Schema is checked synchronously; of a library's
   * schema the library decides. A plain JSON Schema is compiled at the first call.
   *
   * @throws TypeError if a plain JSON Schema is malformed, or has a `$ref` that leads out of it;
   *   SyntaxError if its `pattern` is not a regular expression. What a library throws is passed on.
   */
  check(value: unknown): Checked<Value> | Promise<Checked<Value>>;
}

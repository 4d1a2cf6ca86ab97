import type { Call } from '../calls/call.js';
import { inputSchema, issuesText, type OutputOf, type SchemaSource } from '../schemas/index.js';
import { invalidParams } from '../wire/errors.js';
import type { Shape } from '../wire/shapes.js';
import type { Era } from '../wire/keys.js';
import type { Params } from '../wire/types.js';

/** A method of the server: from the protocol, or an app's own. */
export interface Method<Context = unknown> {
  /** The only era that has the method. Default: both. */
  era?: Era;
  /** Whether the method exists at the moment. Default: it does. */
  isOffered?(): boolean;
  /** Checks the params; a request with invalid params gets −32602. Default: no check. */
  params?: Shape;
  /** The uris in the params of a request, whose length is limited. Default: none. */
  uris?(params: Params): readonly string[];
  /**
   * Whether a request with these params may scan all stored data: of each holder, only a few of
   * these run at a time. Default: no request does.
   */
  isHeavy?(params: Params): boolean;
  /** Checks the result; an invalid result is answered with −32603. Default: any object is valid. */
  result?: Shape;
  /**
   * Returns the result: an object, or a promise of one. A `ProtocolError` is answered as that
   * error, any other error as an internal error.
   */
  run(params: Params, call: Call<Context>): object | Promise<object>;
}

/** Methods by their names. */
export type Methods<Context> = ReadonlyMap<string, Method<Context>>;

/** The definition of an app's own method. */
export interface MethodDefinition<Source extends SchemaSource, Context = unknown> extends Pick<
  Method<Context>,
  'era' | 'isHeavy'
> {
  /** A JSON Schema (2020-12) or a Standard Schema of the params, without `_meta`. */
  params: Source;
  /** Runs the method like `run` of a {@link Method}, with checked params. */
  run(params: OutputOf<Source>, call: Call<Context>): object | Promise<object>;
}

/**
 * Defines a method for `addMethod`. The type of its params is inferred from their schema; a request
 * with invalid params gets −32602.
 *
 * @throws {TypeError} if the schema is not valid, or does not describe an object.
 */
export function defineMethod<const Source extends SchemaSource, Context = unknown>({
  params,
  run,
  ...method
}: MethodDefinition<Source, Context>): Method<Context> {
  const { check } = inputSchema(params);
  return {
    ...method,
    async run({ _meta, ...given }, call) {
      const checked = await check(given);
      if (!checked.issues) return await run(checked.value, call);
      throw invalidParams(`Invalid params: ${issuesText(checked.issues)}`);
    },
  };
}

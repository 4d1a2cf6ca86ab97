import type { Call } from '../calls/call.js';
import type { Shape } from '../wire/shapes.js';
import type { Era } from '../wire/keys.js';
import type { Params } from '../wire/types.js';

/** A method of the server: one of the protocol's, or of an app's own. */
export interface Method<Context = unknown> {
  /** The eras that have it. Default: both. */
  era?: Era;
  /** Whether there is such a method at the moment. Default: there is. */
  isOffered?(): boolean;
  /** What is wrong with the params; a request with wrong ones is −32602. Default: nothing. */
  params?: Shape;
  /**
   * The result: an object, or the promise of one. What it throws is answered as a `ProtocolError`
   * says, else as an internal error.
   */
  run(params: Params, call: Call<Context>): object | Promise<object>;
}

/** Methods by their names. */
export type Methods<Context> = ReadonlyMap<string, Method<Context>>;

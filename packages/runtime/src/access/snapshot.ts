import { throwSendingError } from '../worker/runtime-error.js';

/**
 * A copy of a value from the app, which is sent to the next worker as well, even if the app has
 * changed the value by then.
 *
 * @throws {RuntimeError} `invalid-argument` if the value cannot be sent to a worker.
 */
export function snapshotOf<Value>(value: Value): Value {
  try {
    return structuredClone(value);
  } catch (error) {
    return throwSendingError(error);
  }
}

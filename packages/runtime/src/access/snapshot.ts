import { throwSendingError } from '../worker/runtime-error.js';

/**
 * What the app gave, as it is now: it is told to the next worker as well, whatever the app has made
 * of it by then.
 *
 * @throws {RuntimeError} `invalid-argument` for what cannot be sent to a worker.
 */
export function snapshotOf<Value>(value: Value): Value {
  try {
    return structuredClone(value);
  } catch (error) {
    return throwSendingError(error);
  }
}

import type { JsonRpcError, JsonRpcResult } from '@inpage-mcp/transport';
import type { Call } from '../calls/call.js';

/** Observes the requests of one connection, for a log. If it throws, the error is only reported. */
export interface Observer {
  /** Called when a request has arrived; it may still be rejected. */
  began?(call: Call): void;
  /**
   * Called when a request was answered. `undefined` means that it was cancelled, or that its connection has
   * ended.
   */
  ended?(call: Call, answer: JsonRpcResult | JsonRpcError | undefined): void;
  /** Called when a stream was acknowledged and is open. */
  opened?(call: Call): void;
}

/** Wraps an observer so that its errors are reported, and do not affect the requests. */
export function guardObserver(
  observer: Observer,
  report: (error: unknown) => void,
): Required<Observer> {
  const guard = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      report(error);
    }
  };
  return {
    began: (call) => guard(() => observer.began?.(call)),
    ended: (call, answer) => guard(() => observer.ended?.(call, answer)),
    opened: (call) => guard(() => observer.opened?.(call)),
  };
}

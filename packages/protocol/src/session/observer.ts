import type { JsonRpcError, JsonRpcResult } from '@inpage-mcp/transport';
import type { PendingCall } from '../calls/pending-call.js';

/** Watches the requests of one connection, for a log. What it throws is reported, and changes nothing. */
export interface Observer {
  /** A request has come in; it may still be refused. */
  began?(call: PendingCall): void;
  /** A request was answered; `undefined`: it was cancelled, or its connection has ended. */
  ended?(call: PendingCall, answer: JsonRpcResult | JsonRpcError | undefined): void;
  /** A stream was acknowledged, and stays open. */
  opened?(call: PendingCall): void;
}

/** An observer whose errors are reported, and change nothing of what it watches. */
export function guarded(observer: Observer, report: (error: unknown) => void): Required<Observer> {
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

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

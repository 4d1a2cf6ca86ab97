/**
 * What works on a port that one has. The index has all of this, and how ports come from one window
 * to another; a bundle that loads the one without the other takes this from here.
 */

// The transport itself.
export { MessagePortTransport } from './message-port-transport.js';
export { TransportError, type TransportErrorCode } from './transport-error.js';

// What travels on it.
export { END_OF_STREAM, isJsonRpcMessage } from './wire-messages.js';
export type {
  JsonRpcError,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from './wire-messages.js';

// What it costs to listen to somebody.
export { WastedTime } from './wasted-time.js';

// Who is still there.
export { canHoldLiveness, holdLiveness, whenGone } from './liveness-lock.js';

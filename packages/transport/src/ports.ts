/**
 * What works on a port that one has. The index has all of this, and how ports come from one window
 * to another; a bundle that loads the one without the other takes this from here.
 */

// The transport itself.
export { MessagePortTransport } from './port/message-port-transport.js';
export { TransportError, type TransportErrorCode } from './port/transport-error.js';

// What travels on it.
export { END_OF_STREAM, isJsonRpcMessage } from './port/wire-messages.js';
export type {
  JsonRpcError,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from './port/wire-messages.js';

// What it costs to listen to somebody.
export { WastedTime } from './port/wasted-time.js';

// Who is still there.
export { canHoldLiveness, holdLiveness, whenGone } from './liveness/liveness-lock.js';

/**
 * The exports for a port that exists already. The index also exports the hand-over between windows, but a
 * bundle that does not need it can import this entry.
 */

// The transport itself.
export { MessagePortTransport } from './port/message-port-transport.js';
export { TransportError, type TransportErrorCode } from './port/transport-error.js';

// The messages on a port.
export { plainCopy, postPlain } from './port/plain-copy.js';
export { END_OF_STREAM, isJsonRpcMessage } from './port/wire-messages.js';
export type {
  JsonRpcError,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from './port/wire-messages.js';

// The detection of another agent's death.
export { canHoldLiveness, holdLiveness, whenGone } from './liveness/liveness-lock.js';

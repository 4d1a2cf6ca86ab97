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

// Who is still there.
export { canHoldLiveness, holdLiveness, whenGone } from './liveness-lock.js';

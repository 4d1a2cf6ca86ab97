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

// How a port is handed over between windows.
export { acceptFrames } from './accept-frames.js';
export { connectToFrame, connectToParent } from './connect-to-window.js';
export type { ConnectToFrameOptions, ConnectToParentOptions } from './connect-to-window.js';
export type { AcceptFramesOptions, FrameAcceptor } from './frame-acceptor.js';
export type { FrameConnection } from './frame-connections.js';
export type { OriginViolation } from './origin-violations.js';

// Windows that were written for the protocols of others.
export { acceptMcpBFrames, type AcceptMcpBFramesOptions } from './mcp-b-frames.js';
export { acceptSep1005Frames } from './sep-1005-frames.js';

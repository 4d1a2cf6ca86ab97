// The messages and the transport of a port that exists already.
export * from './ports.js';

// The hand-over of a port between windows.
export { acceptFrames } from './accept/accept-frames.js';
export { connectToFrame, connectToParent } from './connect/connect-to-window.js';
export type { ConnectToFrameOptions, ConnectToParentOptions } from './connect/connect-to-window.js';
export type { AcceptFramesOptions, FrameAcceptor } from './accept/frame-acceptor.js';
export type { FrameConnection } from './accept/frame-connections.js';
export type { OriginViolation } from './accept/origin-violations.js';

// The time that the messages of a peer cost, and callbacks that may throw.
export { WastedTime } from './port/wasted-time.js';
export { callSafely } from './port/call-safely.js';

// Windows that use other protocols.
export { acceptMcpBFrames, type AcceptMcpBFramesOptions } from './accept/mcp-b-frames.js';
export { acceptSep1005Frames } from './accept/sep-1005-frames.js';

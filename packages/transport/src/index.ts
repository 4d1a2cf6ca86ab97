// What works on a port that one has.
export * from './ports.js';

// How a port is handed over between windows.
export { acceptFrames } from './accept/accept-frames.js';
export { connectToFrame, connectToParent } from './connect/connect-to-window.js';
export type { ConnectToFrameOptions, ConnectToParentOptions } from './connect/connect-to-window.js';
export type { AcceptFramesOptions, FrameAcceptor } from './accept/frame-acceptor.js';
export type { FrameConnection } from './accept/frame-connections.js';
export type { OriginViolation } from './accept/origin-violations.js';

// Windows that were written for the protocols of others.
export { acceptMcpBFrames, type AcceptMcpBFramesOptions } from './accept/mcp-b-frames.js';
export { acceptSep1005Frames } from './accept/sep-1005-frames.js';

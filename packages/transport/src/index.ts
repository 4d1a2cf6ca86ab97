// What works on a port that one has.
export * from './ports.js';

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

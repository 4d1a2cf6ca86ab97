/**
 * The part that a page needs to accept frames. A bundler can load this entry later, without moving code out
 * of the chunks that are loaded first.
 */
export { acceptFrames } from './accept/accept-frames.js';
export type { AcceptFramesOptions, FrameAcceptor } from './accept/frame-acceptor.js';
export type { FrameConnection } from './accept/frame-connections.js';

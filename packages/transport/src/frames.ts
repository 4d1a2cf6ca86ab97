/**
 * How a page answers frames that ask for a port, and nothing else: what a bundle loads with this is
 * not taken out of what it has loaded before.
 */
export { acceptFrames } from './accept/accept-frames.js';
export type { AcceptFramesOptions, FrameAcceptor } from './accept/frame-acceptor.js';
export type { FrameConnection } from './accept/frame-connections.js';

/**
 * How a page answers frames that ask for a port, and nothing else: what a bundle loads with this is
 * not taken out of what it has loaded before.
 */
export { acceptFrames } from './accept-frames.js';
export type { AcceptFramesOptions, FrameAcceptor } from './frame-acceptor.js';
export type { FrameConnection } from './frame-connections.js';

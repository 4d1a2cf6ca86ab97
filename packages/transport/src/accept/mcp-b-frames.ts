import { BridgedFrames, postToFrame } from './bridged-frames.js';
import { listenToFrames, type AcceptFramesOptions, type FrameAcceptor } from './frame-acceptor.js';
import { isJsonRpcMessage } from '../port/wire-messages.js';

/** Whom to accept, and on which channel. */
export interface AcceptMcpBFramesOptions extends AcceptFramesOptions {
  /** The `channel` of the envelopes; those of others are ignored. Default: `mcp-iframe`. */
  channel?: string;
}

/**
 * Serves windows that were written for the transports of MCP-B, whose messages are
 * `{ channel, type: 'mcp', direction, payload }` (docs/wire.md, "Windows that speak otherwise").
 * Who may speak is decided as in `acceptFrames`.
 *
 * A window has one connection on a channel: it begins with its first message and ends with
 * `mcp-server-stopped`. A window that asks anew whether the server is ready, or initializes anew,
 * was reloaded: it gets another connection.
 *
 * @throws {TypeError} as `acceptFrames` does; and for `sandboxedFrames`, which have no origin that
 *   an answer could be posted to.
 */
export function acceptMcpBFrames(options: AcceptMcpBFramesOptions): FrameAcceptor {
  const { channel = 'mcp-iframe' } = options;
  const bridges = new BridgedFrames(options);
  const acceptor = listenToFrames(options, (event, from, connections) => {
    if (!isFromClient(event.data, channel)) return;
    event.stopImmediatePropagation();
    const { payload } = event.data;
    const post = (answer: unknown): void => postToFrame(from, envelope(channel, answer));
    if (beginsAnew(payload)) bridges.abandon(from);
    if (payload === 'mcp-check-ready') post('mcp-server-ready');
    if (!isJsonRpcMessage(payload)) return;
    const ended = (): void => post('mcp-server-stopped');
    const bridge = bridges.of(from) ?? bridges.open(from, connections, { toFrame: post, ended });
    if (bridge) bridge.receive(payload);
    else ended();
  });
  announceToParent(options.allowedOrigins, envelope(channel, 'mcp-server-ready'));
  return acceptor;
}

/** A parent asks only once, and that may have been before this window listened. */
function announceToParent(origins: readonly string[], ready: unknown): void {
  if (window.parent === window) return;
  for (const origin of origins) window.parent.postMessage(ready, origin);
}

function envelope(channel: string, payload: unknown): object {
  return { channel, type: 'mcp', direction: 'server-to-client', payload };
}

function isFromClient(value: unknown, channel: string): value is { payload: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const { type, direction, ...others } = value as { [key: string]: unknown };
  return (
    type === 'mcp' &&
    direction === 'client-to-server' &&
    others['channel'] === channel &&
    Object.hasOwn(others, 'payload')
  );
}

function beginsAnew(payload: unknown): boolean {
  if (payload === 'mcp-check-ready') return true;
  return isJsonRpcMessage(payload) && 'method' in payload && payload.method === 'initialize';
}

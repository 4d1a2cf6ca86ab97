import { FrameBridges, postToFrame } from './frame-bridges.js';
import { listenToFrames, type AcceptFramesOptions, type FrameAcceptor } from './frame-acceptor.js';
import { isJsonRpcMessage } from '../port/wire-messages.js';

/** Options of the acceptor: the frames that it accepts, and their channel. */
export interface AcceptMcpBFramesOptions extends AcceptFramesOptions {
  /** The `channel` of the envelopes; other channels are ignored. Default: `mcp-iframe`. */
  channel?: string | undefined;
}

/**
 * Serves windows that use the transports of MCP-B, whose messages are
 * `{ channel, type: 'mcp', direction, payload }` (docs/wire.md, "Frames that use other protocols").
 * The same windows are allowed as in `acceptFrames`.
 *
 * A window has one connection on a channel: it begins with the window's first message and ends with
 * `mcp-server-stopped`. If a window asks again whether the server is ready, or initializes again, it
 * was reloaded and gets a new connection.
 *
 * @throws {TypeError} as `acceptFrames` does; and for `sandboxedFrames`, which have no origin to
 *   post an answer to.
 */
export function acceptMcpBFrames(options: AcceptMcpBFramesOptions): FrameAcceptor {
  const { channel = 'mcp-iframe' } = options;
  const bridges = new FrameBridges(options);
  const acceptor = listenToFrames(options, (event, from, connections) => {
    if (!isFromClient(event.data, channel)) return;
    event.stopImmediatePropagation();
    const { payload } = event.data;
    const post = (answer: unknown): void => postToFrame(from, envelope(channel, answer));
    if (isNewSession(payload)) bridges.abandon(from);
    if (payload === 'mcp-check-ready') post('mcp-server-ready');
    if (!isJsonRpcMessage(payload)) return;
    const onEnd = (): void => post('mcp-server-stopped');
    const bridge =
      bridges.get(from) ?? bridges.open(from, connections, { sendToFrame: post, onEnd });
    if (bridge) bridge.receive(payload);
    else onEnd();
  });
  announceToParent(options.allowedOrigins, envelope(channel, 'mcp-server-ready'));
  return acceptor;
}

/**
 * Announces the server to the parent, because a parent asks only once, possibly before this window listened.
 */
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

function isNewSession(payload: unknown): boolean {
  if (payload === 'mcp-check-ready') return true;
  return isJsonRpcMessage(payload) && 'method' in payload && payload.method === 'initialize';
}

import { BridgedFrames, postToFrame } from './bridged-frames.js';
import { listenToFrames, type AcceptFramesOptions, type FrameAcceptor } from './frame-acceptor.js';
import type { FrameSource } from './frame-gate.js';
import { randomId } from '../handover/random-id.js';

const VERSION = '1.0';

/** A message of SEP-1005, as far as it is ours to read. */
interface Sep1005Message {
  type: string;
  protocolVersion?: unknown;
  sessionId?: unknown;
  payload?: unknown;
}

/**
 * Serves windows that were written for SEP-1005, the `postMessage` transport that was proposed for
 * MCP, in its "inverted architecture": the frame is the client (docs/wire.md, "Windows that speak
 * otherwise"). Its transport phase is served; there is nothing to set up. Who may speak is decided
 * as in `acceptFrames`.
 *
 * A window has one connection, from its handshake to the next one. The protocol has no word for a
 * refusal or an end: what a frame asks that may have no more connections is not answered.
 *
 * @throws {TypeError} as `acceptFrames` does; and for `sandboxedFrames`, which have no origin that
 *   an answer could be posted to.
 */
export function acceptSep1005Frames(options: AcceptFramesOptions): FrameAcceptor {
  const bridges = new BridgedFrames(options);
  const offered = new OfferedSessions();
  return listenToFrames(options, (event, from, connections) => {
    if (!isSep1005Message(event.data)) return;
    event.stopImmediatePropagation();
    const message = event.data;
    if (message.type === 'MCP_TRANSPORT_HANDSHAKE') {
      bridges.abandon(from);
      if (message.protocolVersion !== VERSION) return;
      const type = 'MCP_TRANSPORT_HANDSHAKE_REPLY';
      const sessionId = offered.offer(from);
      postToFrame(from, { type, sessionId, protocolVersion: VERSION });
    } else if (message.type === 'MCP_TRANSPORT_ACCEPTED') {
      if (!offered.take(from, message.sessionId)) return;
      const toFrame = (payload: unknown): void =>
        postToFrame(from, { type: 'MCP_MESSAGE', payload });
      bridges.open(from, connections, { toFrame });
    } else {
      bridges.of(from)?.receive(message.payload);
    }
  });
}

/** The sessions that were offered and not accepted yet: at most one for each window. */
class OfferedSessions {
  readonly #sessions = new WeakMap<Window, { origin: string; sessionId: string }>();

  offer({ source, origin }: FrameSource): string {
    const sessionId = randomId();
    this.#sessions.set(source, { origin, sessionId });
    return sessionId;
  }

  /** Whether this is the session that was offered to this origin; it can be accepted once. */
  take({ source, origin }: FrameSource, sessionId: unknown): boolean {
    const offered = this.#sessions.get(source);
    if (offered?.origin !== origin || offered.sessionId !== sessionId) return false;
    return this.#sessions.delete(source);
  }
}

const TYPES = ['MCP_TRANSPORT_HANDSHAKE', 'MCP_TRANSPORT_ACCEPTED', 'MCP_MESSAGE'];

function isSep1005Message(value: unknown): value is Sep1005Message {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'type') &&
    TYPES.includes((value as Sep1005Message).type)
  );
}

import { FrameBridges, postToFrame } from './frame-bridges.js';
import { listenToFrames, type AcceptFramesOptions, type FrameAcceptor } from './frame-acceptor.js';
import type { FrameSource } from './frame-gate.js';
import { randomId } from '../handover/random-id.js';

const VERSION = '1.0';

/** The fields of SEP-1005 messages that the server reads. */
interface Sep1005Message {
  type: string;
  protocolVersion?: unknown;
  sessionId?: unknown;
  payload?: unknown;
}

/**
 * Serves windows that use SEP-1005, the `postMessage` transport proposed for MCP, in its "inverted
 * architecture": the frame is the client (docs/wire.md, "Frames that use other protocols"). Its transport
 * phase is supported; no setup is needed. The same windows are allowed as in `acceptFrames`.
 *
 * A window has one connection, from one handshake to the next. The protocol has no message for a
 * refusal or an end: if a frame may have no more connections, its messages are not answered.
 *
 * @throws {TypeError} as `acceptFrames` does; and for `sandboxedFrames`, which have no origin to
 *   post an answer to.
 */
export function acceptSep1005Frames(options: AcceptFramesOptions): FrameAcceptor {
  const bridges = new FrameBridges(options);
  const sessions = new PendingSessions();
  return listenToFrames(options, (event, from, connections) => {
    if (!isSep1005Message(event.data)) return;
    event.stopImmediatePropagation();
    const message = event.data;
    if (message.type === 'MCP_TRANSPORT_HANDSHAKE') {
      bridges.abandon(from);
      if (message.protocolVersion !== VERSION) return;
      const type = 'MCP_TRANSPORT_HANDSHAKE_REPLY';
      const sessionId = sessions.offer(from);
      postToFrame(from, { type, sessionId, protocolVersion: VERSION });
    } else if (message.type === 'MCP_TRANSPORT_ACCEPTED') {
      if (!sessions.accept(from, message.sessionId)) return;
      const sendToFrame = (payload: unknown): void =>
        postToFrame(from, { type: 'MCP_MESSAGE', payload });
      bridges.open(from, connections, { sendToFrame });
    } else {
      bridges.get(from)?.receive(message.payload);
    }
  });
}

/** Sessions that were offered and not accepted yet: at most one for each window. */
class PendingSessions {
  readonly #sessions = new WeakMap<Window, { origin: string; sessionId: string }>();

  offer({ source, origin }: FrameSource): string {
    const sessionId = randomId();
    this.#sessions.set(source, { origin, sessionId });
    return sessionId;
  }

  /** Returns whether this session was offered to this origin; it can be accepted once. */
  accept({ source, origin }: FrameSource, sessionId: unknown): boolean {
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

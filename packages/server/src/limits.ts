/**
 * The limits of one connection. Past a limit there is one error answer, or the connection is closed;
 * never silence.
 */
export interface ConnectionLimits {
  /** How deep an inbound message is nested, itself included. */
  messageDepth: number;
  /** How many values an inbound message is made of, itself included. */
  messageNodes: number;
  /** How large an inbound message is: keys and strings in bytes of UTF-8, 8 for any other value. */
  messageBytes: number;
  /** How long a uri is, in UTF-16 code units; at most 2,048. */
  uriLength: number;
  /** How long a tool or a read may take, in milliseconds; a question to the user does not count. */
  timeoutMs: number;
  /** How large a content is that is sent inside a message, in bytes. */
  inlineBytes: number;
  /** How many requests are worked on at a time; subscriptions do not count. */
  requestsInFlight: number;
  /** How many more requests wait for their turn. */
  requestsQueued: number;
  /** How many uris are subscribed to at a time; a stream without any counts as one. */
  subscriptions: number;
  /** How many messages there may be in a second, in the long run. */
  requestsPerSecond: number;
  /** How many messages there may be at once, after a pause. */
  requestBurst: number;
}

/** Of the connections that the page opens for itself. */
export const PAGE_LIMITS: ConnectionLimits = {
  messageDepth: 64,
  messageNodes: 50_000,
  messageBytes: 1024 * 1024,
  uriLength: 2_048,
  timeoutMs: 30_000,
  inlineBytes: 16 * 1024 * 1024,
  requestsInFlight: 64,
  requestsQueued: Infinity,
  subscriptions: 2_000,
  requestsPerSecond: Infinity,
  requestBurst: Infinity,
};

/** Of frames, and of ports that are opened with `limits: 'guest'`. */
export const GUEST_LIMITS: ConnectionLimits = {
  ...PAGE_LIMITS,
  requestsQueued: 512,
  subscriptions: 256,
  requestsPerSecond: 200,
  requestBurst: 500,
};

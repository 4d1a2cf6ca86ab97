/** The maximum depth that a limit can allow: code that reads a message recurses to its full depth. */
export const MAX_MESSAGE_DEPTH = 1_000;

/** The maximum length of a uri that a limit can allow, in UTF-16 code units. */
export const MAX_URI_LENGTH = 2_048;

/**
 * The limits of one connection, and of its holder on all its connections. A holder is a frame with
 * all frames inside it, or the holder of a port. Above a limit, the server answers with an error or
 * closes the connection; see docs/limits.md. The number of connections of a frame is not among them:
 * the page limits it, where it accepts frames (`connectionsPerFrame`). `FairShare` applies most of
 * these limits; guests also rest after a message that took long to read (`MessageQueue`).
 */
export interface ConnectionLimits {
  /** The maximum nesting depth of an inbound message, which itself counts as 1. */
  messageDepth: number;
  /** The maximum number of values in an inbound message, itself included. */
  messageNodes: number;
  /** The maximum size of an inbound message: UTF-8 bytes of keys and strings, and 8 for any other value. */
  messageBytes: number;
  /** The maximum length of a uri, in UTF-16 code units; at most 2,048. */
  uriLength: number;
  /** The timeout of a tool or a read, in milliseconds; a question to the user does not count. */
  timeoutMs: number;
  /** The maximum size of a content that is sent inside a message, in bytes. */
  inlineBytes: number;
  /** The maximum number of a holder's requests that run at a time; subscriptions do not count. */
  requestsInFlight: number;
  /** The maximum number of a holder's further requests that wait in its queue. */
  requestsQueued: number;
  /**
   * The maximum total size of a holder's unanswered requests (waiting, running or asking the user), counted
   * like `messageBytes`. The `initialize` of each client counts until its connection ends.
   */
  keptBytes: number;
  /** The maximum number of uris that a holder subscribes to at a time; a stream without uris counts as one. */
  subscriptions: number;
  /** The maximum number of messages of a holder per second, on average. */
  requestsPerSecond: number;
  /** The maximum number of messages of a holder in a burst, after a pause. */
  requestBurst: number;
}

/** The error of a limit that does not exist, or whose value is out of range. */
class LimitError extends Error {
  override readonly name = 'LimitError';
  readonly code = 'invalid-argument';
}

/** The minimum and maximum of each limit. `Infinity` means unlimited, where the range allows it. */
const RANGES: { [name in keyof ConnectionLimits]: readonly [least: number, most: number] } = {
  messageDepth: [1, MAX_MESSAGE_DEPTH],
  messageNodes: [1, Infinity],
  messageBytes: [1, Infinity],
  uriLength: [1, MAX_URI_LENGTH],
  timeoutMs: [1, Infinity],
  inlineBytes: [0, Infinity],
  requestsInFlight: [1, Infinity],
  requestsQueued: [0, Infinity],
  keptBytes: [0, Infinity],
  subscriptions: [0, Infinity],
  requestsPerSecond: [1, Infinity],
  requestBurst: [1, Infinity],
};

/** Changes to limits. A member that is absent or `undefined` changes nothing. */
export type ChangedLimits = {
  [name in keyof ConnectionLimits]?: ConnectionLimits[name] | undefined;
};

/**
 * The limits with changes.
 *
 * @throws {LimitError} `invalid-argument` for an unknown name, and for a value out of range.
 */
export function limitsWith(
  limits: ConnectionLimits,
  changes: ChangedLimits = {},
): ConnectionLimits {
  const changed = { ...limits };
  for (const [name, value] of Object.entries<unknown>(changes)) {
    if (!isLimit(name)) throw new LimitError(`The limit ${name} does not exist.`);
    if (value !== undefined) changed[name] = checkLimit(name, value);
  }
  return changed;
}

function isLimit(name: string): name is keyof ConnectionLimits {
  return Object.hasOwn(RANGES, name);
}

function checkLimit(name: keyof ConnectionLimits, value: unknown): number {
  const [least, most] = RANGES[name];
  if (typeof value === 'number' && value >= least && value <= most) return value;
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new LimitError(`The limit ${name} must be a number ${range}, not ${String(value)}.`);
}

/** The limits of connections that the page opens for itself. */
export const PAGE_LIMITS: ConnectionLimits = {
  messageDepth: 64,
  messageNodes: 50_000,
  messageBytes: 1024 * 1024,
  uriLength: 2_048,
  timeoutMs: 30_000,
  inlineBytes: 16 * 1024 * 1024,
  requestsInFlight: 64,
  requestsQueued: Infinity,
  keptBytes: Infinity,
  subscriptions: 2_000,
  requestsPerSecond: Infinity,
  requestBurst: Infinity,
};

/** The limits of frames, and of ports that are opened with `limits: 'guest'`. */
export const GUEST_LIMITS: ConnectionLimits = {
  ...PAGE_LIMITS,
  requestsQueued: 512,
  keptBytes: 8 * 1024 * 1024,
  subscriptions: 256,
  requestsPerSecond: 200,
  requestBurst: 500,
};

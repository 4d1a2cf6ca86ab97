/** The largest depth that a limit can allow: each reader of a message recurses as deep as it is nested. */
export const MAX_MESSAGE_DEPTH = 1_000;

/** The longest uri that a limit can allow, in UTF-16 code units. */
export const MAX_URI_LENGTH = 2_048;

/**
 * The limits of one connection, and what its holder may have on all its connections: a frame with
 * all that are in it, or the holder of a port. Past a limit there is one error answer, or the
 * connection is closed; docs/limits.md says which.
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
  /** How many requests of a holder are worked on at a time; subscriptions do not count. */
  requestsInFlight: number;
  /** How many more requests of a holder wait for their turn. */
  requestsQueued: number;
  /**
   * How large the requests of a holder are together that are not answered, whether they wait, are
   * worked on or ask the user, counted like `messageBytes`; what clients say of themselves counts,
   * too, until their connections end.
   */
  keptBytes: number;
  /** How many uris a holder subscribes to at a time; a stream without any counts as one. */
  subscriptions: number;
  /** How many messages of a holder there may be in a second, in the long run. */
  requestsPerSecond: number;
  /** How many messages of a holder there may be at once, after a pause. */
  requestBurst: number;
}

/** What a limit cannot be. */
class LimitError extends Error {
  override readonly name = 'LimitError';
  readonly code = 'invalid-argument';
}

/** The smallest and the largest that each can be. `Infinity` is no limit, where it fits. */
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

/**
 * The limits with what is to be otherwise.
 *
 * @param changes What is `undefined` stays as it is.
 * @throws {LimitError} `invalid-argument` for a name that is none, and for a number out of range.
 */
export function limitsWith(
  limits: ConnectionLimits,
  changes: Partial<ConnectionLimits> = {},
): ConnectionLimits {
  const changed = { ...limits };
  for (const [name, value] of Object.entries<unknown>(changes)) {
    if (!isLimit(name)) throw new LimitError(`There is no limit ${name}.`);
    if (value !== undefined) changed[name] = checked(name, value);
  }
  return changed;
}

function isLimit(name: string): name is keyof ConnectionLimits {
  return Object.hasOwn(RANGES, name);
}

function checked(name: keyof ConnectionLimits, value: unknown): number {
  const [least, most] = RANGES[name];
  if (typeof value === 'number' && value >= least && value <= most) return value;
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new LimitError(`The limit ${name} is a number ${range}, not ${String(value)}.`);
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
  keptBytes: Infinity,
  subscriptions: 2_000,
  requestsPerSecond: Infinity,
  requestBurst: Infinity,
};

/** Of frames, and of ports that are opened with `limits: 'guest'`. */
export const GUEST_LIMITS: ConnectionLimits = {
  ...PAGE_LIMITS,
  requestsQueued: 512,
  keptBytes: 8 * 1024 * 1024,
  subscriptions: 256,
  requestsPerSecond: 200,
  requestBurst: 500,
};

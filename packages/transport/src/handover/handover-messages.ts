/**
 * The messages of a hand-over (docs/wire.md, "Hand-over between windows"). Only the hello is a window
 * message, and it transfers two ports; all other messages use the second port.
 */

/** A window asks for a connection. */
export interface Hello {
  'inpage-mcp': 'connect';
  version: number;
  /** A random text, the same in each repetition of a hello. 16 to 128 characters. */
  nonce: string;
  /** The id of the document, the same in all its hellos; a reload changes it. 1 to 128 characters. */
  document: string;
  /** The name of the Web Lock that the sender holds while it is alive; only within one origin. */
  lock?: string;
}

/** The reason why the hello was rejected: `busy` may change, `refused` will not. */
export interface Refusal {
  type: 'busy' | 'refused';
  /** A sentence for developers. */
  reason: string;
}

/** A message on the watch port. */
export type WatchMessage =
  /** The hello is accepted: the connection is open, and both sides ping at this interval. */
  | { type: 'welcome'; heartbeatMs: number }
  | Refusal
  | { type: 'ping' }
  /** The answer to a ping. */
  | { type: 'pong' }
  /** The connection has ended. */
  | { type: 'bye' }
  /** The sender enters the back/forward cache, where it cannot hold its lock. */
  | { type: 'pausing' }
  /** The sender has left that cache, and holds its lock again. */
  | { type: 'resumed' };

export const HANDOVER_VERSION = 1;

/** The prefix of every lock of a hand-over, so that no peer can make this page wait for another lock. */
export const LOCK_PREFIX = 'inpage-mcp-window:';

/** A hello and its ports. */
export interface Offer {
  hello: Hello;
  /** The port for JSON-RPC; not started. */
  mcpPort: MessagePort;
  /** The port for {@link WatchMessage}s. */
  watchPort: MessagePort;
}

/** Reads a window message of an admitted sender; `undefined` if it is not a hello. */
export function readOffer({ data, ports }: MessageEvent<unknown>): Offer | undefined {
  const [mcpPort, watchPort, ...more] = ports;
  if (!mcpPort || !watchPort || more.length > 0 || !isHello(data)) return undefined;
  return { hello: data, mcpPort, watchPort };
}

function isHello(value: unknown): value is Hello {
  return (
    own(value, 'inpage-mcp') === 'connect' &&
    Number.isSafeInteger(own(value, 'version')) &&
    isText(own(value, 'nonce'), 16) &&
    isText(own(value, 'document'), 1) &&
    (own(value, 'lock') === undefined || isText(own(value, 'lock'), 1))
  );
}

/** Reads a message of the watch port; `undefined` if this version does not know it. */
export function readWatchMessage(value: unknown): WatchMessage | undefined {
  const type = own(value, 'type');
  if (type === 'welcome')
    return isHeartbeat(own(value, 'heartbeatMs')) ? asWatch(value) : undefined;
  if (type === 'busy' || type === 'refused')
    return isText(own(value, 'reason'), 0) ? asWatch(value) : undefined;
  const known = ['ping', 'pong', 'bye', 'pausing', 'resumed'];
  return known.includes(type as string) ? asWatch(value) : undefined;
}

const asWatch = (value: unknown): WatchMessage => value as WatchMessage;

/**
 * Whether an interval is valid. The window is not trusted: its interval may neither cause a busy loop nor
 * stop the heartbeat.
 */
function isHeartbeat(value: unknown): boolean {
  return typeof value === 'number' && value >= 10 && value <= 60_000;
}

function isText(value: unknown, minLength: number): boolean {
  return typeof value === 'string' && value.length >= minLength && value.length <= 128;
}

/** An own property of a value; inherited ones do not count. Structured clone keeps an own `__proto__` key. */
function own(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && Object.hasOwn(value, key)
    ? (value as { [key: string]: unknown })[key]
    : undefined;
}

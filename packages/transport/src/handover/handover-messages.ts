/**
 * The messages of a hand-over (docs/wire.md, "Hand-over between windows"). The hello alone goes
 * through a window, and takes two ports along; all others go over the second of them.
 */

/** What a window says that wants a connection. */
export interface Hello {
  'inpage-mcp': 'connect';
  /** The version of this protocol. */
  version: number;
  /** Random; the same in each repetition of one hello. 16 to 128 characters. */
  nonce: string;
  /** The same in all hellos of a document, and another after it was reloaded. 1 to 128 characters. */
  document: string;
  /** The name of the Web Lock that the sender holds while it lives; only within one origin. */
  lock?: string;
}

/** Why there is no connection. */
export interface Refusal {
  type: 'busy' | 'refused';
  reason: string;
}

/** What goes over the watch port. */
export type WatchMessage =
  /** The hello is accepted: the connection is open, and either side pings this often. */
  | { type: 'welcome'; heartbeatMs: number }
  /** It is not: `busy` may change, `refused` will not. The reason is a sentence for developers. */
  | Refusal
  /** Are you there? */
  | { type: 'ping' }
  /** The answer. */
  | { type: 'pong' }
  /** The connection has ended. */
  | { type: 'bye' }
  /** The sender is put into the back/forward cache, where it cannot keep its lock. */
  | { type: 'pausing' }
  /** It is back, and holds its lock again. */
  | { type: 'resumed' };

export const HANDOVER_VERSION = 1;

/** Locks of a hand-over begin so: nobody is made to wait for a lock of another purpose. */
export const LOCK_PREFIX = 'inpage-mcp-window:';

/** A hello with what came with it. */
export interface Offer {
  hello: Hello;
  /** For JSON-RPC; not started. */
  mcpPort: MessagePort;
  /** For {@link WatchMessage}s. */
  watchPort: MessagePort;
}

/** Reads a window message of a sender that may speak; `undefined` where it is no hello. */
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

/** Reads a message of the watch port; `undefined` where it is none that this version knows. */
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

/** From a window that is not trusted: neither a busy loop nor a heart that never beats. */
function isHeartbeat(value: unknown): boolean {
  return typeof value === 'number' && value >= 10 && value <= 60_000;
}

function isText(value: unknown, minLength: number): boolean {
  return typeof value === 'string' && value.length >= minLength && value.length <= 128;
}

/** Reads an own property only: an own `__proto__` key survives structured clone. */
function own(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && Object.hasOwn(value, key)
    ? (value as { [key: string]: unknown })[key]
    : undefined;
}

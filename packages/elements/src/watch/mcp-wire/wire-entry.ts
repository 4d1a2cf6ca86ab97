import { fieldsOf, type Fields } from '../../reading/gate.js';

/** One line of a recording: a request with its answer, or any other recorded event. */
export interface WireEntry {
  /** The number of the line, counted from 1 over all connections of a recorder. */
  readonly number: number;
  /** The connection, counted from 1: a client that reconnects has several. */
  readonly connection: number;
  /**
   * The kind of the line:
   *
   * - `request`, `notification`: a message with a method.
   * - `answer`: an answer to a request that was not seen, or that had an answer already.
   * - `invalid`: a value that is not a JSON-RPC message.
   * - `problem`: an error that the transport reported; `message` is its text.
   * - `opened`, `closed`: the connection itself; `message` is `undefined`.
   */
  readonly kind:
    'request' | 'notification' | 'answer' | 'invalid' | 'problem' | 'opened' | 'closed';
  /** The sender of the message: `sent` for the client. It has no meaning for `opened`, `closed` and `problem`. */
  readonly direction: 'sent' | 'received';
  /** The method of a request or notification; empty for any other line. */
  readonly method: string;
  /** The time when it was seen: milliseconds since 1970, with fractions. */
  readonly timeMs: number;
  /** The message itself, not a copy. */
  readonly message: unknown;
  /** The answer to a request, not a copy; `undefined` before it arrives. */
  readonly answer: unknown;
  /**
   * The `number` of the open request that a notification is about: its progress, its cancellation, or the
   * acknowledgement of its stream. `undefined` for all other lines.
   */
  readonly requestNumber: number | undefined;
  /** The time from a request to its answer, or to its end without an answer, in milliseconds. */
  readonly durationMs: number | undefined;
  /**
   * The state of a request: `open` until it is `answered`, `cancelled` by its sender, `lost` with the
   * connection, or `unsent` because the transport rejected it. `none` for all other lines.
   */
  readonly state: 'open' | 'answered' | 'cancelled' | 'lost' | 'unsent' | 'none';
}

/** The error of an answer, or of a line that is itself an answer. */
export function errorOf({ kind, message, answer }: WireEntry): Fields | undefined {
  const { error } = fieldsOf(kind === 'answer' ? message : answer);
  return typeof error === 'object' && error !== null ? (error as Fields) : undefined;
}

/** Whether the answer is a tool's report that it has failed. */
export function isToolFailure({ answer }: WireEntry): boolean {
  return fieldsOf(fieldsOf(answer)['result'])['isError'] === true;
}

/** Whether the line is a failure: an error, a failed tool, a lost request, or an invalid message. */
export function isFailure(entry: WireEntry): boolean {
  const { kind, state } = entry;
  if (kind === 'invalid' || kind === 'problem' || kind === 'answer') return true;
  if (kind !== 'request') return false;
  return (
    state === 'unsent' ||
    // A stream ends with its connection, so that nothing was missed.
    (state === 'lost' && entry.method !== 'subscriptions/listen') ||
    errorOf(entry) !== undefined ||
    isToolFailure(entry)
  );
}

/** The maximum number of values of a message that are examined, which takes a few milliseconds. */
const MAX_VALUES = 200_000;

/** The assumed size of a message with more values than that. */
const LARGE_BYTES = 16 * 1024 * 1024;

/** The number of characters of a message that are searched. */
const MAX_SEARCHED = 1_000_000;

/**
 * The approximate length of a value as JSON, in characters, which is also a fair estimate of its memory. An
 * object counts only once, even if it occurs several times, and may contain itself. If the value has very
 * many parts, the result is at least 16 MiB.
 */
export function approximateBytes(value: unknown): number {
  let bytes = 0;
  let count = 0;
  for (const part of partsOf(value)) {
    count += 1;
    if (typeof part === 'string') bytes += part.length + 3;
    else if (ArrayBuffer.isView(part) || part instanceof ArrayBuffer) bytes += part.byteLength;
    // A Blob is a handle: its bytes are not in memory.
    else bytes += 5;
  }
  return count < MAX_VALUES ? bytes : Math.max(bytes, LARGE_BYTES);
}

/** Whether a string or number in a value, or the name of a field, contains a text in lower case. */
export function containsText(value: unknown, needle: string): boolean {
  let room = MAX_SEARCHED;
  for (const part of partsOf(value)) {
    if (typeof part !== 'string' && typeof part !== 'number') continue;
    const text = String(part).slice(0, room);
    if (text.toLowerCase().includes(needle)) return true;
    room -= text.length;
    if (room <= 0) return false;
  }
  return false;
}

/** A value, its parts, and the names of its fields, but no more than `MAX_VALUES`. */
function* partsOf(value: unknown): Generator {
  const rest: unknown[] = [value];
  const seen = new Set<unknown>();
  for (let count = 0; rest.length > 0 && count < MAX_VALUES; count += 1) {
    const part = rest.pop();
    yield part;
    if (typeof part !== 'object' || part === null || seen.has(part)) continue;
    seen.add(part);
    pushParts(part, rest);
  }
}

function pushParts(value: object, parts: unknown[]): void {
  if (ArrayBuffer.isView(value)) return;
  if (Array.isArray(value)) {
    // An array may have billions of holes.
    const length = Math.min(value.length, MAX_VALUES - parts.length);
    for (let index = 0; index < length; index += 1) parts.push(value[index]);
  } else if (value instanceof Map || value instanceof Set) {
    for (const entry of value.entries()) {
      if (parts.length >= MAX_VALUES) return;
      parts.push(...entry);
    }
  } else {
    for (const name in value) {
      if (parts.length >= MAX_VALUES) return;
      parts.push(name, (value as { [name: string]: unknown })[name]);
    }
  }
}

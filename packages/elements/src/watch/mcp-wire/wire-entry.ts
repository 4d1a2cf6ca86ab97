/** One line of a recording: a request with its answer, or anything else that was seen. */
export interface WireEntry {
  /** Counts up from 1 over all connections of a recorder. */
  readonly number: number;
  /** The connection, counted from 1: a client that reconnects has several. */
  readonly connection: number;
  /**
   * - `request`, `notification`: a message with a method.
   * - `answer`: an answer to a request that was not seen, or that had an answer already.
   * - `invalid`: a value that is not a JSON-RPC message.
   * - `problem`: an error that the transport reported; `message` is its text.
   * - `opened`, `closed`: the connection itself; `message` is `undefined`.
   */
  readonly kind:
    'request' | 'notification' | 'answer' | 'invalid' | 'problem' | 'opened' | 'closed';
  /** Who sent the message: `sent` if the client did. It has no meaning for `opened`, `closed` and `problem`. */
  readonly direction: 'sent' | 'received';
  /** The method of a request or notification, else empty. */
  readonly method: string;
  /** When it was seen: milliseconds since 1970, with fractions. */
  readonly timeMs: number;
  /** The message itself, not a copy. */
  readonly message: unknown;
  /** The answer to a request, not a copy; `undefined` before it arrives. */
  readonly answer: unknown;
  /** Milliseconds from a request to its answer, or to its end without an answer. */
  readonly durationMs: number | undefined;
  /**
   * The state of a request: `open` until it is `answered`, `cancelled` by its sender, `lost` with the
   * connection, or `unsent` because the transport rejected it. `none` for all other lines.
   */
  readonly state: 'open' | 'answered' | 'cancelled' | 'lost' | 'unsent' | 'none';
}

type Fields = { readonly [name: string]: unknown };

/** The fields of an object; none of any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The error of an answer, or of a line that is itself an answer. */
export function errorOf({ kind, message, answer }: WireEntry): Fields | undefined {
  const { error } = fieldsOf(kind === 'answer' ? message : answer);
  return typeof error === 'object' && error !== null ? (error as Fields) : undefined;
}

/** Whether the answer is the report of a tool that it has failed. */
export function isToolFailure({ answer }: WireEntry): boolean {
  return fieldsOf(fieldsOf(answer)['result'])['isError'] === true;
}

/** Whether something went wrong: an error, a failed tool, a lost request, or an invalid message. */
export function isFailure(entry: WireEntry): boolean {
  const { kind, state } = entry;
  if (kind === 'invalid' || kind === 'problem' || kind === 'answer') return true;
  if (kind !== 'request') return false;
  return (
    state === 'unsent' ||
    // A stream ends with its connection: nothing was missed.
    (state === 'lost' && entry.method !== 'subscriptions/listen') ||
    errorOf(entry) !== undefined ||
    isToolFailure(entry)
  );
}

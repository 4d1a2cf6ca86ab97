/**
 * The reason why the transport failed on this side.
 *
 * - `already-started`: `start()` was called twice; a transport serves one connection.
 * - `not-started`: `send()` before `start()`, when the answer could not be received.
 * - `closed`: the connection has ended, from either side.
 * - `not-cloneable`: the message contains a value that structured clone rejects (a function, a symbol).
 * - `not-a-message`: a received value is not a JSON-RPC message; it was dropped.
 * - `undecodable`: a received value could not be deserialised here (`messageerror`); it was dropped.
 * - `listener-failed`: `onmessage` threw; the error is the `cause`, and the connection stays open.
 * - `no-window`: the window does not exist, such as the parent of a page that is not in a frame.
 * - `timeout`: the other window did not answer in time.
 * - `busy`: the other window rejected the connection for now; a later attempt may succeed.
 * - `refused`: the other window rejected the connection; a later attempt will fail too.
 */
export type TransportErrorCode =
  | 'already-started'
  | 'not-started'
  | 'closed'
  | 'not-cloneable'
  | 'not-a-message'
  | 'undecodable'
  | 'listener-failed'
  | 'no-window'
  | 'timeout'
  | 'busy'
  | 'refused';

/** A failure of the connection itself, never an answer of the peer (those are JSON-RPC errors). */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** The reason of the failure, for programs. */
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

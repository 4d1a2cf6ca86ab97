/**
 * Why a transport failed on this side.
 *
 * - `already-started`: `start()` was called twice; a transport serves one connection.
 * - `not-started`: `send()` before `start()`: nobody would receive the answer.
 * - `closed`: the connection has ended, from either side.
 * - `not-cloneable`: the message holds something structured clone refuses (a function, a symbol).
 * - `not-a-message`: what arrived is not a JSON-RPC message; it was dropped.
 * - `undecodable`: what arrived could not be deserialised here (`messageerror`); it was dropped.
 * - `listener-failed`: `onmessage` threw; the error is the `cause` and the connection lives on.
 * - `no-window`: there is no such window to connect to, such as the parent of a page that is in none.
 * - `timeout`: the other window did not answer within the time.
 * - `busy`: the other window answered that it gives no port now; it may later.
 * - `refused`: the other window answered that it gives no port, and asking again will not help.
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
  /** What happened, for programs. */
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

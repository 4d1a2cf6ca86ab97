import type { ByteRange } from './binary-extension.js';
import type { Progress } from './protocol-types.js';

/** Limits of one request. */
export interface RequestOptions {
  /** Gives up and tells the server; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until the call rejects with `timeout`; `Infinity` for none. Default: 30,000. */
  timeoutMs?: number | undefined;
}

/** Limits of a request for one page. */
export interface PageOptions extends RequestOptions {
  /** The `nextCursor` of the page before; absent for the first page. */
  cursor?: string | undefined;
}

/** A request for completions, apart from what is completed. */
export interface CompleteOptions extends RequestOptions {
  /** The other arguments that the user has chosen so far, by name. */
  context?: { [name: string]: string } | undefined;
}

/** Limits of a call that may take a while, tell how far it is, and put questions to the user. */
export interface CallOptions extends RequestOptions {
  /**
   * Milliseconds that may pass without a sign of life: from asking the server to its answer, from
   * one progress to the next, and from a question to the answer of `elicit`. Default: 30,000; a
   * question may stay open until the end of `totalTimeoutMs`.
   */
  timeoutMs?: number | undefined;
  /**
   * Milliseconds until the call rejects with `timeout` all the same, however much progress it tells
   * of and whoever is being asked. Default: 600,000, or `timeoutMs` when that is more.
   */
  totalTimeoutMs?: number | undefined;
  /**
   * Hears how far the call is (Utilities › Progress), if the server tells; each time, `timeoutMs`
   * starts anew. After a question to the user, or on a new connection, the server starts over, and
   * so may the numbers.
   */
  onprogress?: ((progress: Progress) => void) | undefined;
}

/** What to read of a resource, and within which limits. */
export interface ReadOptions extends CallOptions {
  /**
   * The part to read. The contents are then a single one of bytes, also of a text, and `rangeOf`
   * tells what they are; a server that knows no ranges answers with the whole, and it tells nothing.
   * Default: the whole.
   */
  range?: ByteRange | undefined;
}

/** Until when to watch. */
export interface WatchOptions {
  /** Ends the watch; its `ready` rejects with the signal's reason if it was not ready yet. */
  signal?: AbortSignal | undefined;
}

/** The default of {@link RequestOptions.timeoutMs}. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** The default of {@link CallOptions.totalTimeoutMs}. */
export const DEFAULT_TOTAL_TIMEOUT_MS = 600_000;

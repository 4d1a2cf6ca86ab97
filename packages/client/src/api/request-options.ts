import type { ByteRange } from './binary-extension.js';
import type { Progress } from './protocol-types.js';

/** Limits of one request. */
export interface RequestOptions {
  /** Cancels the request and notifies the server; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until the call rejects with `timeout`; `Infinity` for none. Default: 30,000. */
  timeoutMs?: number | undefined;
}

/** Limits of a request for one page. */
export interface PageOptions extends RequestOptions {
  /** The `nextCursor` of the page before; absent for the first page. */
  cursor?: string | undefined;
}

/** Options of a request for completions. */
export interface CompleteOptions extends RequestOptions {
  /** The other arguments that the user has chosen so far, by name. */
  context?: { [name: string]: string } | undefined;
}

/** Limits of a call that may take long, report progress, and ask the user questions. */
export interface CallOptions extends RequestOptions {
  /**
   * Milliseconds that may pass without a sign of life: from the request to its answer, from one
   * progress report to the next, and from a question to the answer of `elicit`. Default: 30,000; by
   * default, a question may stay open until the end of `totalTimeoutMs`.
   */
  timeoutMs?: number | undefined;
  /**
   * Milliseconds until the call rejects with `timeout`, even if it reports progress or the user is
   * being asked. Default: 600,000, or `timeoutMs` if that is more.
   */
  totalTimeoutMs?: number | undefined;
  /**
   * Called when the server reports progress (Utilities › Progress); each report restarts `timeoutMs`.
   * After a question to the user, or on a new connection, the server starts the call again, so the
   * numbers may restart too.
   */
  onprogress?: ((progress: Progress) => void) | undefined;
}

/** The range to read of a resource, and the limits of the request. */
export interface ReadOptions extends CallOptions {
  /**
   * The part to read. The answer then has one content, of bytes even for a text, and `rangeOf`
   * returns its range. A server without support for ranges sends the whole resource, and `rangeOf`
   * returns `undefined`. Default: the whole resource.
   */
  range?: ByteRange | undefined;
}

/** Options of a watch. */
export interface WatchOptions {
  /** Ends the watch; if `ready` is still pending, it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** The default of {@link RequestOptions.timeoutMs}. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** The default of {@link CallOptions.totalTimeoutMs}. */
export const DEFAULT_TOTAL_TIMEOUT_MS = 600_000;

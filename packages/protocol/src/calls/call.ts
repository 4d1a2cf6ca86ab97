import type { RequestId } from '@inpage-mcp/transport';
import type {
  ElicitParams,
  ElicitResult,
  InputResponses,
  ListRootsResult,
  SampleParams,
  SampleResult,
} from '../wire/input-types.js';
import type { Era } from '../wire/keys.js';
import type { ClientCapabilities, Implementation, LogLevel, Meta, Params } from '../wire/types.js';

/** One request, as its handler sees it: a tool, a prompt, a resource or an app's own method. */
export interface Call<Context = unknown> {
  /** The id of the request, unique among the open requests of the connection. */
  readonly id: RequestId;
  /** The method of the request, such as `tools/call`. */
  readonly method: string;
  /** The params of the request, without its `_meta`. */
  readonly params: Params;
  /** The context that was passed to `serve`. */
  readonly context: Context;
  /** The era of the connection. */
  readonly era: Era;
  /** The revision that the client speaks, such as `2026-07-28`. */
  readonly revision: string;
  /** The name and version that the client states; `undefined` if it states none. */
  readonly clientInfo: Implementation | undefined;
  /** The capabilities that the client declares. */
  readonly clientCapabilities: ClientCapabilities;
  /** The `_meta` of the request. */
  readonly meta: Meta;
  /** Whether the call is over: it was answered or cancelled, or its connection has ended. */
  readonly isOver: boolean;
  /** Aborts when the client cancels, its connection ends or the call times out. */
  readonly signal: AbortSignal;
  /**
   * The client's answers to an `inputRequired` of this call, unchecked: see `acceptedContent` and
   * `inputResponse`.
   */
  readonly inputResponses: InputResponses | undefined;
  /** The state that came with the answers, as the server's `requestState.verify` returned it. */
  readonly requestState: unknown;
  /**
   * Reports progress to the client, if it asked for progress (Utilities › Progress).
   *
   * @param progress The progress so far. It must be larger than the last time; otherwise nothing is sent.
   * @param total The value of `progress` at the end. Default: unknown.
   * @param message A text for people. Default: none.
   */
  progress(progress: number, total?: number, message?: string): void;
  /**
   * Sends a log message, if its level is at least the client's level (Utilities › Logging). In the
   * modern era, log messages are sent only if the request asks for them, and their `_meta` has the id of
   * the request under `io.github.inpage-mcp/request`.
   *
   * @param data Any value that a port can carry.
   * @param logger The name of the logger. Default: none.
   */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * Asks the user of the client (Client › Elicitation), in either era. In the modern era this call
   * ends here, and runs again from its start when the client sends the answer: ask before any side
   * effect. The time until the answer does not count.
   *
   * @param key Identifies the question within the call: each question needs its own key.
   * @throws {ProtocolError} −32021 if the client has not declared elicitation.
   */
  elicit(key: string, params: ElicitParams): Promise<ElicitResult>;
  /** Asks the model of the client (Client › Sampling), in the same way. */
  sample(key: string, params: SampleParams): Promise<SampleResult>;
  /** Asks for the folders of the client (Client › Roots), in the same way. */
  listRoots(key: string): Promise<ListRootsResult>;
  /** Waits for a person, for example at a dialog. This time does not count against the timeout. */
  whileAsking<Value>(ask: () => Promise<Value>): Promise<Value>;
}

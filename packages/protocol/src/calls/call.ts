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

/** One request, as what works on it sees it: a tool, a prompt, a resource or a method of an app. */
export interface Call<Context = unknown> {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
  /** What the connection was served with. */
  readonly context: Context;
  readonly era: Era;
  /** The revision that the client speaks, such as `2026-07-28`. */
  readonly revision: string;
  /** Who the client says it is; `undefined` where it says nothing. */
  readonly clientInfo: Implementation | undefined;
  /** What the client says it can do. */
  readonly clientCapabilities: ClientCapabilities;
  /** The `_meta` of the request. */
  readonly meta: Meta;
  /** Whether nobody waits for the answer any more. */
  readonly isOver: boolean;
  /** Aborts when the client cancels, its connection ends or the time is over. */
  readonly signal: AbortSignal;
  /**
   * What the client has answered to an `inputRequired` of this call, unchecked: see
   * `acceptedContent` and `inputResponse`.
   */
  readonly inputResponses: InputResponses | undefined;
  /** The state that came back with it, as the server's `requestState.verify` has made it. */
  readonly requestState: unknown;
  /**
   * Reports to the client how far the call is, if it asked for that (Utilities › Progress).
   *
   * @param progress More than the last time, or nothing is sent.
   * @param total What it comes to in the end. Default: not known.
   * @param message For people. Default: none.
   */
  progress(progress: number, total?: number, message?: string): void;
  /**
   * Sends a message of the log, if it matters as much as the client wants (Utilities › Logging). In
   * the modern era none is sent unless the request asks for it.
   *
   * @param data Anything that can be sent.
   * @param logger Who says it. Default: nobody.
   */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * Asks the user of the client (Client › Elicitation), in either era. In the modern one this call
   * ends here, and runs again from its start when the client brings the answer: ask before anything
   * is done. The time in which somebody is asked does not count.
   *
   * @param key Names the question within the call; another question needs another key.
   * @throws {ProtocolError} −32021 where the client has declared no elicitation.
   */
  elicit(key: string, params: ElicitParams): Promise<ElicitResult>;
  /** Asks the model of the client (Client › Sampling), in the same way. */
  sample(key: string, params: SampleParams): Promise<SampleResult>;
  /** Asks for the folders of the client (Client › Roots), in the same way. */
  listRoots(key: string): Promise<ListRootsResult>;
  /** Waits for something that takes a person's time, such as a dialog: that does not count. */
  whileAsking<Value>(ask: () => Promise<Value>): Promise<Value>;
}

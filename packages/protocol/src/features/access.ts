import type { Call } from '../calls/call.js';
import { invalidParams, type ProtocolError } from '../wire/errors.js';
import type { CallToolResult } from '../wire/types.js';
import type { Prompt } from './prompt.js';
import type { Tool } from './tool.js';

/**
 * The permissions of one connection. They are checked on each use, including lists, so a revoked permission
 * ends at once. A tool, prompt or resource that is not permitted does not exist for the connection.
 */
export interface ConnectionAccess<Context = unknown> {
  /** Whether the connection may use a tool. Default: every tool. */
  permitsTool?(tool: Tool<Context>): boolean;
  /** Whether the connection may use a prompt. Default: every prompt. */
  permitsPrompt?(prompt: Prompt<Context>): boolean;
  /**
   * Whether the client may be notified of an update of a resource, and may read an app. The
   * connection's resources themselves decide what else it may list and read. Default: every uri.
   */
  permitsUri?: ((uri: string) => boolean) | undefined;
  /** Called with the name of each tool or prompt that was requested but is not permitted. */
  denied?: ((name: string) => void) | undefined;
  /** Whether results of tools may hold links to resources. Default: true. */
  readonly takesLinks?: boolean | undefined;
  /**
   * Called before a tool with a `question` runs. If it returns a result, such as a refusal, that is
   * the result of the call; if it returns `undefined`, the tool runs. Default: the tool runs.
   *
   * @param ask Returns the question for the user; `undefined` without one, because nothing is left to do.
   * @param args The arguments of the call, as the client has sent them.
   */
  beforeWrite?(
    tool: Tool<Context>,
    ask: () => Promise<string | undefined>,
    call: Call<Context>,
    args: unknown,
  ): CallToolResult | undefined | Promise<CallToolResult | undefined>;
}

/** The error for a tool or prompt that does not exist: −32602. */
export function notFoundError(kind: 'Tool' | 'Prompt', name: string): ProtocolError {
  return invalidParams(`${kind} ${name} not found`);
}

import type { Call } from '../calls/call.js';
import { invalidParams, type ProtocolError } from '../wire/errors.js';
import type { CallToolResult } from '../wire/types.js';
import type { Prompt } from './prompt.js';
import type { Tool } from './tool.js';

/**
 * What one connection may use. It is asked each time, also when something is listed: an access that
 * is taken away is gone at once. What is not permitted does not exist for the connection.
 */
export interface ConnectionAccess<Context = unknown> {
  /** Default: every tool. */
  permitsTool?(tool: Tool<Context>): boolean;
  /** Default: every prompt. */
  permitsPrompt?(prompt: Prompt<Context>): boolean;
  /**
   * Whether the client may be notified of an update of a resource. What is listed and read is up to the resources of the
   * connection. Default: every one.
   */
  permitsUri?(uri: string): boolean;
  /** Called with the name of each tool and prompt that was asked for and is not permitted. */
  denied?(name: string): void;
  /** Whether results of tools may hold links to resources. Default: true. */
  readonly takesLinks?: boolean;
  /**
   * Called before a tool that has a `question` runs. What it gives is the result of the call, such as
   * a refusal; `undefined` lets the tool run. Default: it runs.
   *
   * @param ask Says what is about to happen.
   */
  beforeWrite?(
    tool: Tool<Context>,
    ask: () => string | Promise<string>,
    call: Call<Context>,
  ): CallToolResult | undefined | Promise<CallToolResult | undefined>;
}

/** There is no tool or prompt of this name: −32602. */
export function unknownError(kind: 'Tool' | 'Prompt', name: string): ProtocolError {
  return invalidParams(`${kind} ${name} not found`);
}

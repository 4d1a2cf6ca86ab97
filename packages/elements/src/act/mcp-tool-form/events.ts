import type { CallToolResult, Resource } from '@inpage-mcp/client';

/** The arguments of a call, by name. */
export interface ToolArguments {
  readonly [name: string]: unknown;
}

/**
 * Fired when an `<mcp-tool-form>` is about to call a tool; the user has confirmed a call that may overwrite
 * or delete. If a listener cancels the event, the element does not call the tool.
 */
export class McpToolCallEvent extends Event {
  static readonly eventName = 'mcp-tool-call';
  /** The name of the tool. */
  readonly tool: string;
  /** The arguments, as a copy: changes of it have no effect. */
  readonly arguments: ToolArguments;

  constructor(tool: string, toolArguments: ToolArguments) {
    super(McpToolCallEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.tool = tool;
    this.arguments = toolArguments;
  }
}

/** Fired when a call of an `<mcp-tool-form>` has ended: with a result, or with an error. */
export class McpToolResultEvent extends Event {
  static readonly eventName = 'mcp-tool-result';
  /** The name of the tool. */
  readonly tool: string;
  /** The arguments of the call. */
  readonly arguments: ToolArguments;
  /** The result, which may have `isError`; `undefined` if the call failed or was cancelled. */
  readonly result: CallToolResult | undefined;
  /** The reason of the failure; that of the signal if the call was cancelled. */
  readonly error: unknown;

  constructor(
    tool: string,
    toolArguments: ToolArguments,
    outcome: { result?: CallToolResult | undefined; error?: unknown },
  ) {
    super(McpToolResultEvent.eventName, { bubbles: true, composed: true });
    this.tool = tool;
    this.arguments = toolArguments;
    this.result = outcome.result;
    this.error = outcome.error;
  }
}

/** Fired when the user chooses a link to a resource in the result of a tool. */
export class McpToolResourceEvent extends Event {
  static readonly eventName = 'mcp-tool-resource';
  /** The resource, as the server describes it. */
  readonly resource: Resource;

  constructor(resource: Resource) {
    super(McpToolResourceEvent.eventName, { bubbles: true, composed: true });
    this.resource = resource;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-tool-call': McpToolCallEvent;
    'mcp-tool-result': McpToolResultEvent;
    'mcp-tool-resource': McpToolResourceEvent;
  }
}

import type { GetPromptResult } from '@inpage-mcp/client';

/** Fired when the user wants to use a prompt of an `<mcp-prompt-menu>`. Bubbles, through shadow roots too. */
export class McpPromptSubmitEvent extends Event {
  static readonly eventName = 'mcp-prompt-submit';
  /** The name of the prompt. */
  readonly name: string;
  /** The arguments that the user has filled in. */
  readonly arguments: { readonly [name: string]: string };
  /** The messages for the model, as the server has sent them. */
  readonly result: GetPromptResult;

  constructor(name: string, args: { readonly [name: string]: string }, result: GetPromptResult) {
    super(McpPromptSubmitEvent.eventName, { bubbles: true, composed: true });
    this.name = name;
    this.arguments = args;
    this.result = result;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-prompt-submit': McpPromptSubmitEvent;
  }
}

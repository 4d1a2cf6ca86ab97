import type { ResourceTemplate } from '@inpage-mcp/client';

/**
 * Fired when the user has filled in an `<mcp-template-form>`. Bubbles, through shadow roots too. If it is not
 * cancelled, the element with the id `for` gets the `uri`.
 */
export class McpTemplateSubmitEvent extends Event {
  static readonly eventName = 'mcp-template-submit';
  /** The address of the resource. */
  readonly uri: string;
  /** The template that the user filled in, as the server describes it. */
  readonly template: ResourceTemplate;

  constructor(uri: string, template: ResourceTemplate) {
    const options = { bubbles: true, composed: true, cancelable: true };
    super(McpTemplateSubmitEvent.eventName, options);
    this.uri = uri;
    this.template = template;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-template-submit': McpTemplateSubmitEvent;
  }
}

/**
 * The user has followed a link to another resource of the server. Without `preventDefault()`, a view
 * with `follow-links` shows that resource.
 */
export class McpResourceLinkEvent extends Event {
  static readonly eventName = 'mcp-resource-link';
  /** The address that the link leads to; a relative one was resolved. */
  readonly uri: string;

  constructor(uri: string) {
    super(McpResourceLinkEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.uri = uri;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-resource-link': McpResourceLinkEvent;
  }
}

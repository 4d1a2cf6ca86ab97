/**
 * The user wants to go back to the resource with the link that an `<mcp-resource-view>` has followed.
 * Without `preventDefault()`, the view shows it again, at its place.
 */
export class McpResourceBackEvent extends Event {
  static readonly eventName = 'mcp-resource-back';
  /** The address that the way leads to. */
  readonly uri: string;

  constructor(uri: string) {
    super(McpResourceBackEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.uri = uri;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-resource-back': McpResourceBackEvent;
  }
}

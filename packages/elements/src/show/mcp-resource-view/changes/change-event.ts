/**
 * A resource that an `<mcp-resource-view>` shows has other contents than before. The view then marks
 * what has changed and announces the update, unless the change is the user's own.
 * `preventDefault()` stops both.
 */
export class McpResourceChangeEvent extends Event {
  static readonly eventName = 'mcp-resource-change';
  /** The address of the resource. */
  readonly uri: string;
  /** Who has changed it, for the user. A listener may set it. Default: what the server says. */
  by: string | undefined;
  /** Whether the page of the client has made the change, as far as the server says it. */
  readonly isOwn: boolean;

  constructor(uri: string, by?: string, isOwn = false) {
    super(McpResourceChangeEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.uri = uri;
    this.by = by;
    this.isOwn = isOwn;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-resource-change': McpResourceChangeEvent;
  }
}

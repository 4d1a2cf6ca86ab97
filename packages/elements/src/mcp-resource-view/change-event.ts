/**
 * A resource that an `<mcp-resource-view>` shows has other contents than before. The view then marks
 * the changed words and announces the update. `preventDefault()` stops both: for changes that the
 * user of the page has made.
 */
export class McpResourceChangeEvent extends Event {
  static readonly eventName = 'mcp-resource-change';
  /** The address of the resource. */
  readonly uri: string;
  /** Who has changed it, for the user. A listener may set it. Default: unknown. */
  by: string | undefined;

  constructor(uri: string, by?: string) {
    super(McpResourceChangeEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.uri = uri;
    this.by = by;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-resource-change': McpResourceChangeEvent;
  }
}

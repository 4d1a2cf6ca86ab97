/**
 * Fired when the user has followed a link to another resource of the server. Without `preventDefault()`, a
 * view with `follow-links` shows that resource.
 */
export class McpResourceLinkEvent extends Event {
  static readonly eventName = 'mcp-resource-link';
  /** The target address of the link; a relative one was resolved. */
  readonly uri: string;

  constructor(uri: string) {
    super(McpResourceLinkEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.uri = uri;
  }
}

/**
 * Fired when a resource that an `<mcp-resource-view>` shows has other contents than before. The view then
 * marks the changes and announces the update, unless the change is the user's own. `preventDefault()` stops
 * both.
 */
export class McpResourceChangeEvent extends Event {
  static readonly eventName = 'mcp-resource-change';
  /** The address of the resource. */
  readonly uri: string;
  /**
   * The author of the change, for the user. A listener may set it. Default: the author that the server names.
   */
  by: string | undefined;
  /** Whether the page of the client has made the change, as far as the server reports it. */
  readonly isOwn: boolean;
  /** The number of the author's connection in the activity log, to name it in `by`; absent if it is not known. */
  readonly connection: number | undefined;

  constructor(uri: string, by?: string, isOwn = false, connection?: number) {
    super(McpResourceChangeEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.uri = uri;
    this.by = by;
    this.isOwn = isOwn;
    this.connection = connection;
  }
}

/**
 * Fired when the user wants to go back to the resource with the link that an `<mcp-resource-view>` has
 * followed. Without `preventDefault()`, the view shows it again, at its former position.
 */
export class McpResourceBackEvent extends Event {
  static readonly eventName = 'mcp-resource-back';
  /** The address of the resource to go back to. */
  readonly uri: string;

  constructor(uri: string) {
    super(McpResourceBackEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.uri = uri;
  }
}

/** Fired when an `<mcp-resource-view>` shows its resource, for the first time or again after a change. */
export class McpResourceLoadEvent extends Event {
  static readonly eventName = 'mcp-resource-load';
  /** The address of the resource. */
  readonly uri: string;
  /** The time from the request to its answer, in milliseconds. */
  readonly durationMs: number;

  constructor(uri: string, durationMs: number) {
    super(McpResourceLoadEvent.eventName, { bubbles: true, composed: true });
    this.uri = uri;
    this.durationMs = durationMs;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-resource-load': McpResourceLoadEvent;
    'mcp-resource-link': McpResourceLinkEvent;
    'mcp-resource-change': McpResourceChangeEvent;
    'mcp-resource-back': McpResourceBackEvent;
  }
}

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

/**
 * A resource that an `<mcp-resource-view>` shows has other contents than before. The view then marks
 * what has changed and announces the update, unless the change is the user's own.
 * `preventDefault()` stops both.
 */
export class McpResourceChangeEvent extends Event {
  static readonly eventName = 'mcp-resource-change';
  /** The address of the resource. */
  readonly uri: string;
  /** The author of the change, for the user. A listener may set it. Default: the one that the server names. */
  by: string | undefined;
  /** Whether the page of the client has made the change, as far as the server says it. */
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

/** An `<mcp-resource-view>` shows its resource, for the first time or again after a change. */
export class McpResourceLoadEvent extends Event {
  static readonly eventName = 'mcp-resource-load';
  /** The address of the resource. */
  readonly uri: string;
  /** Milliseconds from the request to its answer. */
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

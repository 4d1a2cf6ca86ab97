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
  }
}

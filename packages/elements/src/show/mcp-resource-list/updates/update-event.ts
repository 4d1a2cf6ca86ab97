import type { Resource } from '@inpage-mcp/client';

/**
 * A resource in sight was updated. The list then marks its row and announces it, unless a listener
 * cancels the event, or the change is the user's own.
 */
export class McpResourceUpdateEvent extends Event {
  static readonly eventName = 'mcp-resource-update';
  /** The resource, as it was listed before the update. */
  readonly resource: Resource;
  /** Whether the client or its page has made the change, as far as the server says it. */
  readonly isOwn: boolean;
  /** Who has changed it, for the user. A listener may set it. Default: what the server says. */
  by: string | undefined;

  constructor(resource: Resource, isOwn = false, by?: string) {
    super(McpResourceUpdateEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.resource = resource;
    this.isOwn = isOwn;
    this.by = by;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-resource-update': McpResourceUpdateEvent;
  }
}

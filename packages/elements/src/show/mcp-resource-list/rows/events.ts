import type { Resource } from '@inpage-mcp/client';

const BUBBLES = { bubbles: true, composed: true };

/** The user changed the selection of an `<mcp-resource-list>`. Bubbles, through shadow roots too. */
export class McpResourceSelectEvent extends Event {
  static readonly eventName = 'mcp-resource-select';
  /** The resource that was added to the selection, or removed from it, last. */
  readonly resource: Resource;
  /** All selected resources, in the order of the server. */
  readonly resources: readonly Resource[];
  /**
   * `open` after a click, Enter or Space on one resource; `browse` while the user moves through the
   * list, and while they gather several: with a box, with Control, Meta or Shift.
   */
  readonly intent: 'open' | 'browse';

  constructor(resource: Resource, intent: 'open' | 'browse', resources = [resource]) {
    super(McpResourceSelectEvent.eventName, BUBBLES);
    this.resource = resource;
    this.resources = resources;
    this.intent = intent;
  }
}

/** The user wants to open resources: Enter, a double click, or a tap. */
export class McpResourceActivateEvent extends Event {
  static readonly eventName = 'mcp-resource-activate';
  /** The resource that the user activated. */
  readonly resource: Resource;
  /** All selected resources, if the activated one is among them; else the activated one. */
  readonly resources: readonly Resource[];

  constructor(resource: Resource, resources = [resource]) {
    super(McpResourceActivateEvent.eventName, BUBBLES);
    this.resource = resource;
    this.resources = resources;
  }
}

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
    'mcp-resource-select': McpResourceSelectEvent;
    'mcp-resource-activate': McpResourceActivateEvent;
    'mcp-resource-update': McpResourceUpdateEvent;
  }
}

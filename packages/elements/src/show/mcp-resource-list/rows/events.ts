import type { Resource } from '@inpage-mcp/client';

const BUBBLES = { bubbles: true, composed: true };

/**
 * Fired when the user has changed the selection of an `<mcp-resource-list>`. Bubbles, through shadow roots
 * too.
 */
export class McpResourceSelectEvent extends Event {
  static readonly eventName = 'mcp-resource-select';
  /** The resource that was added to the selection, or removed from it, last. */
  readonly resource: Resource;
  /** All selected resources, in the order of the server. */
  readonly resources: readonly Resource[];
  /**
   * The intent of the user: `open` after a click, Enter or Space on one resource; `browse` while the user
   * moves through the list, and while they select several: with a box, with Control, Meta or Shift.
   */
  readonly intent: 'open' | 'browse';

  constructor(resource: Resource, intent: 'open' | 'browse', resources = [resource]) {
    super(McpResourceSelectEvent.eventName, BUBBLES);
    this.resource = resource;
    this.resources = resources;
    this.intent = intent;
  }
}

/** Fired when the user wants to open resources: by Enter, a double click, or a tap. */
export class McpResourceActivateEvent extends Event {
  static readonly eventName = 'mcp-resource-activate';
  /** The resource that the user activated. */
  readonly resource: Resource;
  /** All selected resources, if the activated one is among them; otherwise the activated one. */
  readonly resources: readonly Resource[];

  constructor(resource: Resource, resources = [resource]) {
    super(McpResourceActivateEvent.eventName, BUBBLES);
    this.resource = resource;
    this.resources = resources;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-resource-select': McpResourceSelectEvent;
    'mcp-resource-activate': McpResourceActivateEvent;
  }
}

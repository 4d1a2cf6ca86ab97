import type { Resource } from '@inpage-mcp/client';

/** The user chose a resource of an `<mcp-resource-list>`. Bubbles, through shadow roots too. */
export class McpResourceSelectEvent extends Event {
  static readonly eventName = 'mcp-resource-select';
  /** What was chosen. */
  readonly resource: Resource;
  /** `open` after a click, Enter or Space; `browse` while the user walks through the list. */
  readonly intent: 'open' | 'browse';

  constructor(resource: Resource, intent: 'open' | 'browse') {
    super(McpResourceSelectEvent.eventName, { bubbles: true, composed: true });
    this.resource = resource;
    this.intent = intent;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-resource-select': McpResourceSelectEvent;
  }
}

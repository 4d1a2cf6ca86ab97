/** Fired when the resources of an `<mcp-resource-picker>` have changed. Bubbles, through shadow roots too. */
export class McpResourcePickEvent extends Event {
  static readonly eventName = 'mcp-resource-pick';
  /** The uris of all resources for the model, those that the user chose first. */
  readonly uris: readonly string[];
  /** The uris of `uris` that the element has included automatically. */
  readonly automatic: readonly string[];
  /** The reason: `user` for an act of the user; `automatic` for a change of the list or the budget. */
  readonly reason: 'user' | 'automatic';

  constructor(uris: readonly string[], automatic: readonly string[], reason: 'user' | 'automatic') {
    super(McpResourcePickEvent.eventName, { bubbles: true, composed: true });
    this.uris = uris;
    this.automatic = automatic;
    this.reason = reason;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-resource-pick': McpResourcePickEvent;
  }
}

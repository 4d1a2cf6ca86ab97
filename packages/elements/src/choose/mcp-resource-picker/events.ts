/** The resources of an `<mcp-resource-picker>` have changed. Bubbles, through shadow roots too. */
export class McpResourcePickEvent extends Event {
  static readonly eventName = 'mcp-resource-pick';
  /** The uris of all resources that the model gets: first those that the user chose. */
  readonly uris: readonly string[];
  /** Those of `uris` that the element has included by itself. */
  readonly automatic: readonly string[];
  /** `user` after an act of the user; `automatic` after a change of the list or the budget. */
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

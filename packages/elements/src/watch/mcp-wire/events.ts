import type { WireEntry } from './wire-entry.js';

/**
 * The user wants to send a recorded request again. Bubbles, through shadow roots too. Cancelable:
 * `preventDefault()` keeps the element from sending it.
 */
export class McpWireReplayEvent extends Event {
  static readonly eventName = 'mcp-wire-replay';
  /** The line of the request. */
  readonly entry: WireEntry;

  constructor(entry: WireEntry) {
    super(McpWireReplayEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.entry = entry;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-wire-replay': McpWireReplayEvent;
  }
}

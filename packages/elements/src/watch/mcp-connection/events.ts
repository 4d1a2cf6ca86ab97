/**
 * Fired when the user wants to connect again after the connection has ended. Bubbles, through shadow roots
 * too. Cancelable: after `preventDefault()`, the element does not call its `reconnect`.
 */
export class McpReconnectEvent extends Event {
  static readonly eventName = 'mcp-reconnect';

  constructor() {
    super(McpReconnectEvent.eventName, { bubbles: true, composed: true, cancelable: true });
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-reconnect': McpReconnectEvent;
  }
}

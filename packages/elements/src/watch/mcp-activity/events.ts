/**
 * The user wants to end the access of a client. Bubbles, through shadow roots too. The page decides:
 * it passes the promise of its decision to `respondWith()`, and the element shows the result.
 * Cancelable: after `preventDefault()`, the element shows nothing.
 */
export class McpRevokeEvent extends Event {
  static readonly eventName = 'mcp-revoke';
  /** The number of the connection, as in the log. */
  readonly connection: number;
  #response: Promise<unknown> | undefined;

  constructor(connection: number) {
    super(McpRevokeEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.connection = connection;
  }

  /** The promise of the page; `undefined` if the page has passed none. */
  get response(): Promise<unknown> | undefined {
    return this.#response;
  }

  /**
   * To be called while the event is dispatched.
   *
   * @param response Resolves when the client has no access any more; rejects if it keeps its access.
   */
  respondWith(response: Promise<unknown>): void {
    this.#response = response;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-revoke': McpRevokeEvent;
  }
}

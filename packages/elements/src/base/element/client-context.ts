import type { McpClient } from '@inpage-mcp/client';

/**
 * The key under which `<mcp-provider>` provides its client to the elements inside it. It is a registered
 * symbol, so that two copies of this package on one page understand each other.
 */
export const clientContext = Symbol.for('@inpage-mcp/elements/client');

/** Receives the client that is provided now, and each later one until `unsubscribe` is called. */
export type ClientCallback = (client: McpClient | undefined, unsubscribe?: () => void) => void;

/**
 * An event of the Context Protocol of the Web Components Community Group, about the client. As
 * `context-provider` it announces a new provider, for elements inside it that have asked before.
 */
export class ClientEvent extends Event {
  readonly context = clientContext;
  readonly contextTarget: Element;

  constructor(type: string, contextTarget: Element) {
    super(type, { bubbles: true, composed: true });
    this.contextTarget = contextTarget;
  }
}

/** Fired to ask the nearest provider for its client; an app may have a provider of its own. */
export class ClientRequestEvent extends ClientEvent {
  readonly subscribe = true;
  readonly callback: ClientCallback;

  constructor(contextTarget: Element, callback: ClientCallback) {
    super('context-request', contextTarget);
    this.callback = callback;
  }
}

/** Whether an event of the Context Protocol is about the client. */
export const isAboutClient = (event: Event): boolean =>
  (event as Partial<ClientEvent>).context === clientContext;

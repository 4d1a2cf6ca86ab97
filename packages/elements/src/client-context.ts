import type { McpClient } from '@inpage-mcp/client';
import { ContextConsumer, createContext } from '@lit/context';
import type { ReactiveControllerHost } from 'lit';

/**
 * Under this context `<mcp-provider>` hands its client to the elements inside it. The key is a
 * registered symbol: two copies of this package on one page understand each other.
 */
export const clientContext = createContext<McpClient | undefined>(
  Symbol.for('@inpage-mcp/elements/client'),
);

type Host = ReactiveControllerHost & HTMLElement & { client: McpClient | undefined };

/** Where an element gets its client: its own `client` property first, else the nearest provider. */
export class ClientSource {
  readonly #host: Host;
  readonly #consumer: ContextConsumer<typeof clientContext, Host>;

  constructor(host: Host) {
    this.#host = host;
    this.#consumer = new ContextConsumer(host, { context: clientContext, subscribe: true });
  }

  /** The client to use now, if there is one. A change requests an update of the host. */
  get client(): McpClient | undefined {
    return this.#host.client ?? this.#consumer.value;
  }
}

import type { McpClient } from '@inpage-mcp/client';
import type { ReactiveControllerHost } from 'lit';
import { Catalog } from './catalog.js';
import { usableToolNames } from './gate.js';

/** The names of the server's tools, for an element that needs one of them. */
export class ToolNames {
  readonly #catalog: Catalog<{ name: string }>;

  constructor(host: ReactiveControllerHost) {
    this.#catalog = new Catalog(host, {
      capability: 'tools',
      keyOf: ({ name }) => name,
      textsOf: () => [],
      fetchPage: async (client, options) => usableToolNames(await client.listTools(options)),
      watch: (client, listener, options) => client.watchTools(listener, options),
    });
  }

  /** Sets the client from which the names are read. Default: none, nothing is read. */
  set client(client: McpClient | undefined) {
    this.#catalog.client = client;
    this.#catalog.isNeeded = client !== undefined;
  }

  /** Whether the server certainly lacks this tool, because its list was read to the end. */
  lacks(name: string): boolean {
    const { status, isCut, entries } = this.#catalog;
    return status === 'ready' && !isCut && !entries.some((tool) => tool.name === name);
  }
}

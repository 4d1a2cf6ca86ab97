import type { ListToolsResult, McpClient, PageOptions } from '@inpage-mcp/client';
import type { ReactiveControllerHost } from 'lit';
import { Catalog } from './catalog.js';
import { fieldsOf, usableToolNames } from './usable-answers.js';

/** JSON-RPC: the server does not have this method. */
const METHOD_NOT_FOUND = -32601;

/** The names of the server's tools, for an element that needs one of them. */
export class ToolNames {
  readonly #catalog: Catalog<{ name: string }>;

  constructor(host: ReactiveControllerHost) {
    this.#catalog = new Catalog(host, {
      keyOf: ({ name }) => name,
      textsOf: () => [],
      fetchPage: async (client, options) => usableToolNames(await listTools(client, options)),
      watch: (client, listener, options) => client.watchTools(listener, options),
    });
  }

  /** Reads the names from this client. Default: none, nothing is read. */
  set client(client: McpClient | undefined) {
    this.#catalog.client = client;
    this.#catalog.isNeeded = client !== undefined;
  }

  /** Whether the server certainly does not have this tool: its list was read to the end. */
  lacks(name: string): boolean {
    const { status, isCut, entries } = this.#catalog;
    return status === 'ready' && !isCut && !entries.some((tool) => tool.name === name);
  }
}

/** A server without tools need not know the method. */
async function listTools(client: McpClient, options: PageOptions): Promise<ListToolsResult> {
  try {
    return await client.listTools(options);
  } catch (error) {
    if (fieldsOf(error)['code'] === METHOD_NOT_FOUND) return { tools: [] };
    throw error;
  }
}

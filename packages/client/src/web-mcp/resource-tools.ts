import type { CallOptions } from '../api/request-options.js';
import type { CallToolResult, Tool } from '../api/tool-types.js';
import type { ToolCaller } from '../tools/tool-formats.js';
import type { WebMcpClient } from './web-mcp-client.js';

type Args = { [name: string]: unknown };

interface ResourceTool extends Tool {
  call(client: WebMcpClient, args: Args, options: CallOptions): Promise<CallToolResult>;
}

const READS = { readOnlyHint: true, openWorldHint: false };

/** Only names and addresses, without their contents. */
const list: ResourceTool = {
  name: 'list_resources',
  title: 'List resources',
  description:
    'Lists what can be read here, with the address of each. If the answer has a nextCursor, there is ' +
    'more: call again with it as cursor.',
  inputSchema: {
    type: 'object',
    properties: { cursor: { type: 'string', description: 'The nextCursor of the answer before.' } },
  },
  annotations: READS,
  async call(client, { cursor }, options) {
    const page = await client.listResources({
      ...options,
      ...(typeof cursor === 'string' && { cursor }),
    });
    const resources = page.resources.map(({ uri, name, title, description, mimeType, size }) => ({
      uri,
      title: title ?? name,
      description,
      mimeType,
      size,
    }));
    return { content: [], structuredContent: { resources, nextCursor: page.nextCursor } };
  },
};

const read: ResourceTool = {
  name: 'read_resource',
  title: 'Read a resource',
  description: 'Reads what an address has, such as one from list_resources.',
  inputSchema: {
    type: 'object',
    properties: { uri: { type: 'string', description: 'The address.' } },
    required: ['uri'],
  },
  annotations: READS,
  async call(client, { uri }, options) {
    const { contents, unusable } = await client.readResource(String(uri), options);
    return {
      content: contents.map((resource) => ({ type: 'resource', resource })),
      ...(unusable !== undefined && { unusable }),
    };
  },
};

/**
 * The tools of a server, and two that list and read its resources. A tool of the server with the name of
 * one of these takes its place.
 */
export function withResourceTools(client: WebMcpClient): ToolCaller {
  let ours = new Map<string, ResourceTool>();
  return {
    async listTools(options = {}) {
      const { resources, tools } = client.serverCapabilities;
      if (options.cursor === undefined)
        ours = new Map(resources ? [list, read].map((tool) => [tool.name, tool]) : []);
      const page = tools ? await client.listTools(options) : { tools: [] };
      for (const { name } of page.tools) ours.delete(name);
      return page.nextCursor === undefined
        ? { ...page, tools: [...page.tools, ...ours.values()] }
        : page;
    },
    callTool(name, args = {}, options = {}) {
      const own = ours.get(name);
      return own ? own.call(client, args, options) : client.callTool(name, args, options);
    },
  };
}

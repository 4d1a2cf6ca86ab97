import type { CallOptions, CallToolResult, Tool } from '@inpage-mcp/client';
import { isForModels } from '../tools/model-tools.js';
import type { ToolCaller } from '../tools/tool-formats.js';
import type { WebMcpClient } from './web-mcp-client.js';

type Args = { [name: string]: unknown };

interface ResourceTool extends Tool {
  call(client: WebMcpClient, args: Args, options: CallOptions): Promise<CallToolResult>;
}

const READS = { readOnlyHint: true, openWorldHint: false };

/** Lists only the names and addresses of the resources, without the contents. */
const list: ResourceTool = {
  name: 'list_resources',
  title: 'List resources',
  description:
    'Lists the resources that can be read, with their addresses. If the answer has a nextCursor, there are ' +
    'more: call again with it as cursor.',
  inputSchema: {
    type: 'object',
    properties: {
      cursor: { type: 'string', description: 'The nextCursor of the previous answer.' },
    },
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
  description: 'Reads the contents of a resource by its address, such as one from list_resources.',
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
 * The tools of a server, and two tools that list and read its resources. If a tool of the server has the same
 * name as one of the two, it replaces that one.
 */
export function withResourceTools(client: WebMcpClient): ToolCaller {
  let ours = new Map<string, ResourceTool>();
  let next = ours;
  return {
    async listTools(options = {}) {
      const { resources, tools } = client.serverCapabilities;
      if (options.cursor === undefined)
        next = new Map(resources ? [list, read].map((tool) => [tool.name, tool]) : []);
      const page = tools ? await client.listTools(options) : { tools: [] };
      for (const { name } of page.tools.filter(isForModels)) next.delete(name);
      if (page.nextCursor !== undefined) return page;
      // Not before the list is whole: if it cannot be read, the earlier one stays.
      ours = next;
      return { ...page, tools: [...page.tools, ...ours.values()] };
    },
    callTool(name, args = {}, options = {}) {
      const own = ours.get(name);
      return own ? own.call(client, args, options) : client.callTool(name, args, options);
    },
  };
}

import type { McpClient } from '@inpage-mcp/client';
import { fieldsOf, type WireEntry } from './wire-entry.js';

type Params = { readonly [name: string]: unknown };

type Send = (client: McpClient, params: Params) => Promise<unknown>;

/** The requests that a client can send again, by method. */
const SENDERS: { readonly [method: string]: Send } = {
  'resources/list': (client, params) => client.listResources(pageOf(params)),
  'resources/templates/list': (client, params) => client.listResourceTemplates(pageOf(params)),
  'resources/read': (client, { uri, _meta }) => {
    const range = fieldsOf(_meta)['io.github.inpage-mcp/range'];
    return client.readResource(uri as string, range ? { range: range as never } : {});
  },
  'tools/list': (client, params) => client.listTools(pageOf(params)),
  'tools/call': (client, { name, arguments: args }) =>
    client.callTool(name as string, args as object as { [name: string]: unknown }),
  'prompts/list': (client, params) => client.listPrompts(pageOf(params)),
  'prompts/get': (client, { name, arguments: args }) =>
    client.getPrompt(name as string, args as { [name: string]: string }),
  'completion/complete': (client, { ref, argument, context }) =>
    client.complete(ref as never, argument as never, {
      context: fieldsOf(context)['arguments'] as { [name: string]: string },
    }),
};

/** Whether a client can send a request again: one of its own, for data. */
export function canReplay({ kind, direction, method }: WireEntry): boolean {
  return kind === 'request' && direction === 'sent' && Object.hasOwn(SENDERS, method);
}

/** Whether the request may change something when it is sent again. */
export function mayChangeData({ method }: WireEntry): boolean {
  return method === 'tools/call';
}

/** Sends a request again, as a new request of the client. Rejects as the client does. */
export async function replay(client: McpClient, { method, message }: WireEntry): Promise<void> {
  await SENDERS[method]!(client, fieldsOf(fieldsOf(message)['params']));
}

function pageOf({ cursor }: Params): { cursor: string } | undefined {
  return typeof cursor === 'string' ? { cursor } : undefined;
}

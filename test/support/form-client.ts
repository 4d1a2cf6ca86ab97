import type { McpClient } from '@inpage-mcp/client';

const NEVER = { ready: Promise.resolve(), stop: () => undefined };

/** A client of a server with one entry in each list; `more` replaces parts of it. */
export function formClient(more: object = {}): McpClient & { become(state: string): void } {
  const listeners = new Set<() => void>();
  const resource = { uri: 'a:1', name: 'One', size: 400, annotations: { audience: ['assistant'] } };
  const client = {
    state: 'open',
    serverCapabilities: { resources: {}, tools: {}, prompts: {} },
    watch: () => NEVER,
    watchList: () => NEVER,
    watchPrompts: () => NEVER,
    watchTools: () => NEVER,
    watchState: (listener: () => void) => listeners.add(listener),
    listResources: async () => ({ resources: [resource] }),
    listResourceTemplates: async () => ({
      resourceTemplates: [
        { uriTemplate: 'a:///{id}', name: 'one', title: 'One', description: 'About one.' },
        { uriTemplate: 'b:///{id}', name: 'two', title: 'Two' },
      ],
    }),
    listPrompts: async () => ({
      prompts: [{ name: 'greet', description: 'Says hello.', arguments: [{ name: 'who' }] }],
    }),
    listTools: async () => ({
      tools: [
        {
          name: 'erase',
          description: 'Erases all.',
          inputSchema: {
            type: 'object',
            properties: { what: { type: 'string', description: 'What to erase.' } },
          },
        },
      ],
    }),
    become(state: string) {
      client.state = state;
      for (const listener of listeners) listener();
    },
    ...more,
  };
  return client as never;
}

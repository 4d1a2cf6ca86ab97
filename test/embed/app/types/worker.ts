// The worker of that app.
import {
  defineTool,
  files,
  notes,
  startServer,
  type ResourceProvider,
  type ServerOptions,
} from '@inpage-mcp/server';

const clock: ResourceProvider = {
  name: 'clock',
  templates: [],
  list: async () => ({
    resources: [{ uri: 'app:///now', name: 'now', title: undefined, mimeType: undefined }],
    nextCursor: undefined,
  }),
  read: async (uri) => [{ uri, mimeType: 'text/plain', text: new Date().toISOString() }],
  listen: () => () => undefined,
};

const countNotes = defineTool({
  name: 'count_notes',
  title: undefined,
  description: 'Counts the notes.',
  annotations: { readOnlyHint: true, idempotentHint: undefined },
  run: async (_input, { context }) => String(await context.store.notes.count()),
});

export const serve = (instructions?: string, onerror?: ServerOptions['onerror']) =>
  startServer({
    serverInfo: { name: 'strict', version: '1', title: undefined },
    instructions,
    providers: [notes(), files(), clock],
    configure: (server) => server.addTool(countNotes),
    capabilities: { subscribe: undefined },
    onerror,
  });

// The worker of the app: a tool that asks its client in the middle of a call.
import { defineTool, startServer } from '@inpage-mcp/server';

const bookTable = defineTool({
  name: 'book_table',
  title: 'Book a table',
  annotations: { destructiveHint: false }, // it adds something, and deletes nothing
  input: {
    type: 'object',
    properties: { guests: { type: 'integer', title: 'Guests', minimum: 1, default: 2 } },
    required: ['guests'],
  },
  async run({ guests }, call) {
    const { action, content } = await call.elicit('time', {
      message: `When shall the table for ${guests} be ready?`,
      requestedSchema: {
        type: 'object',
        properties: { time: { type: 'string', title: 'Time', enum: ['18:00', '20:00'] } },
        required: ['time'],
      },
    });
    if (action !== 'accept') return 'Nothing was booked.';
    return `A table for ${guests} is booked for ${String(content?.['time'])}.`;
  },
});

startServer({ configure: (server) => server.addTool(bookTable) });

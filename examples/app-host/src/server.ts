import { connectClient, type McpClient } from '@inpage-mcp/client';
import { defineTool, McpServer } from '@inpage-mcp/protocol';
import { MessagePortTransport } from '@inpage-mcp/transport';
import html from './dice.html?raw';

const rollDice = defineTool({
  name: 'roll_dice',
  title: 'Roll the dice',
  app: 'ui://dice/dice',
  annotations: { readOnlyHint: true }, // so the app may call it, too, without a question
  run() {
    const dice = [1, 2].map(() => 1 + Math.floor(Math.random() * 6));
    const text = `The dice show ${dice.join(' and ')}.`;
    return { structuredContent: { dice }, content: [{ type: 'text', text }] };
  },
});

/** A server in this page, with one tool and its app. `<mcp-app>` shows those of any other server, too. */
export function connect(): Promise<McpClient> {
  const server = new McpServer({ name: 'dice', version: '1.0.0' }, { tools: [rollDice] });
  server.addApp({ uri: 'ui://dice/dice', html });
  const { port1, port2 } = new MessageChannel();
  server.serve(port1);
  return connectClient(new MessagePortTransport(port2), { apps: true });
}

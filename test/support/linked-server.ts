import { connectClient, type McpClient } from '@inpage-mcp/client';
import { files, InpageServer, notes } from '@inpage-mcp/server';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { freshDatabaseName } from './database.js';
import { RawClient } from './raw-client.js';

/** The real server and store in this page, reached over real ports; only the worker is missing. */
export interface LinkedServer {
  server: InpageServer;
  databaseName: string;
  openPort(): MessagePort;
  connect(): Promise<McpClient>;
  connectRaw(): RawClient;
}

export async function openLinkedServer(
  databaseName: string = freshDatabaseName(),
): Promise<LinkedServer> {
  const server = await InpageServer.open(databaseName, {
    providers: [notes(), files()],
    onerror: () => undefined,
  });
  const openPort = (): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    server.servePort(port2);
    return port1;
  };
  return {
    server,
    databaseName,
    openPort,
    connect: () => connectClient(new MessagePortTransport(openPort())),
    connectRaw: () => new RawClient(openPort()),
  };
}

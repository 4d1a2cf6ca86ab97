import { connectClient, type ConnectOptions, type McpClient } from '@inpage-mcp/client';
import {
  MessagePortTransport,
  type JsonRpcMessage,
  type JsonRpcRequest,
} from '@inpage-mcp/transport';

/** A server that does what a test asks of it. */
export interface ScriptedPeer {
  transport: MessagePortTransport;
  /** Everything that came in, in order. */
  received: JsonRpcMessage[];
  port: MessagePort;
  /** Resolves when a message has come in that fits. */
  when(fits: (message: JsonRpcMessage) => boolean): Promise<JsonRpcMessage>;
}

export function scriptedPeer(
  answer: (message: JsonRpcMessage, port: MessagePort) => void,
): ScriptedPeer {
  const { port1, port2 } = new MessageChannel();
  const received: JsonRpcMessage[] = [];
  const waiters = new Set<() => void>();
  port1.onmessage = ({ data }: MessageEvent<JsonRpcMessage | null>) => {
    if (data === null) return;
    received.push(data);
    answer(data, port1);
    for (const waiter of waiters) waiter();
  };
  const when = async (fits: (message: JsonRpcMessage) => boolean): Promise<JsonRpcMessage> =>
    await new Promise((resolve) => {
      const look = (): void => {
        const found = received.find(fits);
        if (!found) return;
        waiters.delete(look);
        resolve(found);
      };
      waiters.add(look);
      look();
    });
  return { transport: new MessagePortTransport(port2), received, port: port1, when };
}

export const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { resources: {} },
  ttlMs: 0,
  cacheScope: 'private',
};

/** Answers discovery as it should, and the rest as a test says. */
export function discovering(
  then: (message: JsonRpcMessage, port: MessagePort) => void = () => undefined,
  discovered: object = DISCOVERED,
): ScriptedPeer {
  return scriptedPeer((message, port) => {
    if ('method' in message && 'id' in message && message.method === 'server/discover') {
      port.postMessage({ jsonrpc: '2.0', id: message.id, result: discovered });
    } else then(message, port);
  });
}

/** A server that is the test itself, apart from discovery. */
export interface ScriptedServer extends ScriptedPeer {
  /** The requests after discovery, in order. */
  requests: JsonRpcRequest[];
  /** The request of this number, counted from 0, as soon as it is there. */
  request(index: number): Promise<JsonRpcRequest>;
  answer(request: JsonRpcRequest, result: object): void;
  /** Reports progress by the token that the request came with. */
  reportProgress(request: JsonRpcRequest, progress: object): void;
  /** Ends the connection, as a server that goes does. */
  hangUp(): void;
}

/** @param results What the requests after discovery are answered with, one by one; then nothing. */
export function scriptedServer(results: object[] = [], discovered?: object): ScriptedServer {
  const requests: JsonRpcRequest[] = [];
  const peer = discovering((message, port) => {
    if (!('method' in message) || !('id' in message)) return;
    const result = results[requests.length];
    requests.push(message);
    if (result) port.postMessage({ jsonrpc: '2.0', id: message.id, result });
  }, discovered);
  const { port } = peer;
  return {
    ...peer,
    requests,
    async request(index) {
      await peer.when(() => requests.length > index);
      return requests[index]!;
    },
    answer: ({ id }, result) => port.postMessage({ jsonrpc: '2.0', id, result }),
    reportProgress({ params }, progress) {
      const { progressToken } = params!['_meta'] as { progressToken: number };
      const method = 'notifications/progress';
      port.postMessage({ jsonrpc: '2.0', method, params: { progressToken, ...progress } });
    },
    hangUp: () => port.postMessage(null),
  };
}

/** A client whose server is the test itself. */
export interface ScriptedClient extends ScriptedServer {
  client: McpClient;
}

/** @param results See {@link scriptedServer}. */
export async function connectScripted(
  options: ConnectOptions = {},
  results: object[] = [],
): Promise<ScriptedClient> {
  const server = scriptedServer(results);
  return { ...server, client: await connectClient(server.transport, options) };
}

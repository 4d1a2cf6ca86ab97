import { connectClient, type McpClient } from '@inpage-mcp/client';
import type { JsonRpcRequest } from '@inpage-mcp/transport';
import { discovering } from './scripted-peer.js';

/** A server whose answers a test changes, and that reports changes when the test says so. */
export interface ChangingServer {
  client: McpClient;
  /** What requests are answered with, by method; others are not answered. */
  answers: { [method: string]: unknown };
  /** Resolves when a client listens; a notification before that reaches none. */
  hasListener: Promise<void>;
  /** Sends a notification, such as `resources/list_changed`, to the client that listens. */
  notify(method: string, params?: object): void;
}

/**
 * @param onrequest Called with each request but those for the answers that it needs itself; answers
 *   it by `answer`, at once or later. Default: with what is in `answers`.
 */
export async function connectToChanging(
  answers: ChangingServer['answers'],
  onrequest?: (request: JsonRpcRequest, answer: (result: unknown) => void) => void,
): Promise<ChangingServer> {
  let subscriptionId: unknown;
  let noteListener!: () => void;
  const hasListener = new Promise<void>((resolve) => {
    noteListener = resolve;
  });
  const { transport, port } = discovering((message) => {
    if (!('method' in message) || !('id' in message)) return;
    const { id, method, params } = message;
    const answer = (result: unknown): void => port.postMessage({ jsonrpc: '2.0', id, result });
    if (method === 'subscriptions/listen') {
      subscriptionId = id;
      notify('subscriptions/acknowledged', { notifications: params!['notifications'] });
      noteListener();
    } else if (onrequest) onrequest(message, answer);
    else if (method in answers) answer(answers[method]);
  });
  const notify = (name: string, params: object = {}): void => {
    const _meta = { 'io.modelcontextprotocol/subscriptionId': subscriptionId };
    const method = `notifications/${name}`;
    port.postMessage({ jsonrpc: '2.0', method, params: { ...params, _meta } });
  };
  return { client: await connectClient(transport), answers, hasListener, notify };
}

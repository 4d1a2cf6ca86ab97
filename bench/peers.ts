import { MessagePortTransport } from '@inpage-mcp/transport';
import { Client } from '@modelcontextprotocol/client';

/** The other end of bench/hand-written.worker.ts. */
export type HandWritten = (method: string, ...args: unknown[]) => Promise<unknown>;

/** A worker without a protocol, and how its methods are called. */
export function handWritten(): HandWritten {
  const url = new URL('./hand-written.worker.js', import.meta.url);
  const port = portTo(new Worker(url, { type: 'module' }));
  const waiting = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  port.onmessage = ({ data }: MessageEvent<{ id: number; result: unknown }>) => {
    waiting.get(data.id)?.(data.result);
    waiting.delete(data.id);
  };
  return (method, ...args) =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      port.postMessage({ id: lastId, method, args });
    });
}

/** The official SDK's client of a worker with the official SDK's server: what a user would pick instead. */
export async function sdkPair(worker = sdkWorker()): Promise<Client> {
  const mode = 'auto';
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new MessagePortTransport(portTo(worker)));
  return client;
}

/** A worker with the official SDK's server and one resource. */
export function sdkWorker(): Worker {
  return new Worker(new URL('./fixed-sdk.worker.js', import.meta.url), { type: 'module' });
}

/** A port to a worker that serves each port that it is given. */
export function portTo(worker: Worker): MessagePort {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage('port', [port2]);
  return port1;
}

import { END_OF_STREAM, isJsonRpcMessage, type JsonRpcMessage } from '@inpage-mcp/transport';
import type { WaitingServer } from '../waiting/waiting-server.js';

/** One connection of a session to a server: to a page, or to the waiting server. */
export interface Upstream {
  /** Whether the server is a page, which may have carried out requests that it has not answered. */
  readonly isPage: boolean;
  send(message: JsonRpcMessage): void;
  close(): void;
}

/** Connects to the waiting server. */
export function waitingUpstream(
  server: WaitingServer,
  onmessage: (message: JsonRpcMessage, upstream: Upstream) => void,
): Upstream {
  const { port1, port2 } = new MessageChannel();
  const upstream: Upstream = {
    isPage: false,
    send: (message) => port1.postMessage(message),
    close() {
      port1.postMessage(END_OF_STREAM);
      port1.close();
    },
  };
  port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isJsonRpcMessage(data)) onmessage(data, upstream);
  });
  server.serve(port2);
  port1.start();
  return upstream;
}

import { MessagePortTransport, type JsonRpcMessage } from '@inpage-mcp/transport';
import type { Implementation } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './create-server.js';
import { asSpecified } from './protocol-errors.js';
import type { ResourceRouter } from './resource-router.js';

/** What a port is served with. */
export interface ServePortOptions {
  serverInfo: Implementation;
  router: ResourceRouter;
  /** Called once, when either side has ended the connection. */
  onclose: () => void;
  /** Hears of dropped messages and other trouble that is not told to the peer. */
  onerror: (error: unknown) => void;
}

/** A served port. */
export interface PortConnection {
  /** Ends the stream: open subscriptions get their result, then the port gets `null`. */
  close(): Promise<void>;
}

/**
 * Serves MCP on one port, in the era of the client's first message, with a server of its own: no
 * connection ever sees another's requests, answers or subscriptions.
 */
export function servePort(port: MessagePort, options: ServePortOptions): PortConnection {
  const { serverInfo, router, onclose, onerror } = options;
  const transport = new ServedPortTransport(port, onclose);
  return serveStdio(
    ({ era }) => {
      transport.era = era;
      return createServer({ serverInfo, router, era, onerror });
    },
    { transport, onerror },
  );
}

/** The port as the SDK sees it: it also tells us of the end, and mends what legacy clients get. */
class ServedPortTransport extends MessagePortTransport {
  era: 'legacy' | 'modern' | undefined;
  readonly #onEnd: () => void;

  constructor(port: MessagePort, onEnd: () => void) {
    super(port);
    this.#onEnd = onEnd;
  }

  override async send(message: JsonRpcMessage): Promise<void> {
    await super.send(asSpecified(message, this.era));
  }

  protected override ended(): void {
    super.ended();
    this.#onEnd();
  }
}

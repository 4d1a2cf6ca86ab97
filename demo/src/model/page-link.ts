import type { ClientTransport } from '@inpage-mcp/client';
import { SETTINGS_HELLO, type ModelSettings, type WireReport } from './model-settings.js';

/** The port on which the page sends the settings of the model, and receives the messages for its Wire. */
export interface PageLink {
  /** Resolves when the user has let the model in. */
  readonly settings: Promise<ModelSettings>;
  /** Reports the messages of a transport to the page, for its Wire. */
  report(transport: ClientTransport): ClientTransport;
}

/** The key comes by a port that only this document has: an address would be seen, and kept. */
export function linkToPage(parentOrigin: string): PageLink {
  const { port1: port, port2: portOfPage } = new MessageChannel();
  const settings = new Promise<ModelSettings>((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent<ModelSettings>) => resolve(data), {
      once: true,
    });
  });
  port.start();
  window.parent.postMessage(SETTINGS_HELLO, parentOrigin, [portOfPage]);
  return { settings, report: (transport) => new ReportingTransport(transport, port) };
}

type Message = Parameters<ClientTransport['send']>[0];

class ReportingTransport implements ClientTransport {
  onmessage?: (message: Message) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #inner: ClientTransport;
  readonly #port: MessagePort;

  constructor(inner: ClientTransport, port: MessagePort) {
    this.#inner = inner;
    this.#port = port;
    inner.onmessage = (message) => {
      this.#report({ direction: 'received', message });
      this.onmessage?.(message);
    };
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: Message): Promise<void> {
    this.#report({ direction: 'sent', message });
    return this.#inner.send(message);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #report(report: WireReport): void {
    this.#port.postMessage(report);
  }
}

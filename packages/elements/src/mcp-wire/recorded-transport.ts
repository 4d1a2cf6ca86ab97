import type { ClientTransport } from '@inpage-mcp/client';
import type { ConnectionRecording } from './connection-recording.js';

/** A message of a transport. */
export type WireMessage = Parameters<ClientTransport['send']>[0];

/** A transport that passes everything on, and writes it down. */
export class RecordedTransport implements ClientTransport {
  onmessage?: (message: WireMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #inner: ClientTransport;
  readonly #recording: ConnectionRecording;

  constructor(inner: ClientTransport, recording: ConnectionRecording) {
    this.#inner = inner;
    this.#recording = recording;
    inner.onmessage = (message) => {
      recording.addMessage('received', message);
      this.onmessage?.(message);
    };
    inner.onclose = () => {
      recording.addClosed();
      this.onclose?.();
    };
    inner.onerror = (error) => {
      recording.addProblem(error);
      this.onerror?.(error);
    };
  }

  async start(): Promise<void> {
    this.#recording.addOpened();
    await this.#inner.start();
  }

  send(message: WireMessage): Promise<void> {
    this.#recording.addMessage('sent', message);
    const sent = this.#inner.send(message);
    sent.catch(() => this.#recording.addUnsent(message));
    return sent;
  }

  async close(): Promise<void> {
    await this.#inner.close();
    this.#recording.addClosed();
  }
}

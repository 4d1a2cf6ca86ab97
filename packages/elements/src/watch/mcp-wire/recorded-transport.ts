import type { ClientTransport } from '@inpage-mcp/client';
import type { ConnectionRecording } from './connection-recording.js';

/** A message of a transport. */
export type WireMessage = Parameters<ClientTransport['send']>[0];

/**
 * What the transports of the official SDK have beside this: over HTTP, each request has a stream of its
 * own, which ends with the signal in the options of `send`.
 */
interface SdkTransport extends ClientTransport {
  readonly hasPerRequestStream?: boolean | undefined;
  readonly sessionId?: string | undefined;
  readonly protocolVersion?: string | undefined;
  setProtocolVersion?(version: string): void;
  setSupportedProtocolVersions?(versions: string[]): void;
  send(message: WireMessage, ...options: unknown[]): Promise<void>;
  onmessage?: ((message: WireMessage, ...extra: unknown[]) => void) | undefined;
}

/** A transport that passes everything on, and writes it down. */
export class RecordedTransport implements SdkTransport {
  onmessage?: (message: WireMessage, ...extra: unknown[]) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #inner: SdkTransport;
  readonly #recording: ConnectionRecording;

  constructor(inner: ClientTransport, recording: ConnectionRecording) {
    this.#inner = inner;
    this.#recording = recording;
    this.#inner.onmessage = (message, ...extra) => {
      recording.addMessage('received', message);
      this.onmessage?.(message, ...extra);
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

  get hasPerRequestStream(): boolean | undefined {
    return this.#inner.hasPerRequestStream;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get protocolVersion(): string | undefined {
    return this.#inner.protocolVersion;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  async start(): Promise<void> {
    this.#recording.addOpened();
    await this.#inner.start();
  }

  send(message: WireMessage, ...options: unknown[]): Promise<void> {
    this.#recording.addMessage('sent', message);
    const sent = this.#inner.send(message, ...options);
    sent.catch(() => this.#recording.addUnsent(message));
    return sent;
  }

  async close(): Promise<void> {
    await this.#inner.close();
    this.#recording.addClosed();
  }
}

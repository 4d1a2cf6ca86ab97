import type { ClientTransport } from '@inpage-mcp/client';
import { WireRecorder, type WireRecorderOptions } from '@inpage-mcp/elements/wire-recorder';

type Message = Parameters<ClientTransport['send']>[0];

/** A recorded transport without a port: a test sends and receives what it likes. */
export interface RecordedPeer {
  recorder: WireRecorder;
  /** The transport that a client would use. */
  transport: ClientTransport;
  /** Sends a request as a client would. */
  request(id: unknown, method: string, params?: object): void;
  /** Delivers anything, as from a server. */
  deliver(message: unknown): void;
  /** The end of the connection, from the other side. */
  end(): void;
}

export function recordedPeer(
  options?: WireRecorderOptions,
  recorder: WireRecorder = new WireRecorder(options),
): RecordedPeer {
  const inner: ClientTransport = {
    start: () => Promise.resolve(),
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const transport = recorder.wrap(inner);
  return {
    recorder,
    transport,
    request: (id, method, params = {}) =>
      void transport.send({ jsonrpc: '2.0', id: id as number, method, params: { ...params } }),
    deliver: (message) => inner.onmessage?.(message as Message),
    end: () => inner.onclose?.(),
  };
}

/** Resolves with the next `change` event. */
export async function changeOf(recorder: WireRecorder): Promise<void> {
  await new Promise((resolve) => recorder.addEventListener('change', resolve, { once: true }));
}

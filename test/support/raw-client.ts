import type { JsonRpcError, JsonRpcNotification, JsonRpcResult } from '@inpage-mcp/transport';
import { expectSpecified, expectSpecifiedResult } from './specified-messages.js';

type Params = { [key: string]: unknown };
type Incoming = JsonRpcError | JsonRpcNotification | JsonRpcResult;

/** The `_meta` that every request of the modern era carries. */
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Hand-written JSON-RPC on a port: what is sent and received is what is on the wire. */
export class RawClient {
  readonly port: MessagePort;
  /** Everything that came in, in order; `null` is the end of the stream. */
  readonly received: (Incoming | null)[] = [];
  readonly #waiters = new Set<() => void>();
  /** What was asked, by the id of the request. */
  readonly #methods = new Map<unknown, string>();
  #nextId = 1;

  constructor(port: MessagePort) {
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<Incoming | null>) => {
      this.received.push(data);
      for (const waiter of this.#waiters) waiter();
      // What it throws fails the test file: whatever a test looks at, no message may be malformed.
      if (data === null || Array.isArray(data)) return;
      expectSpecified(data);
      if ('method' in data) return;
      const method = this.#methods.get(data.id);
      this.#methods.delete(data.id);
      if ('result' in data) expectSpecifiedResult(method, data.result);
    };
  }

  /** Sends a request and resolves with the whole answer. */
  async request(method: string, params: Params = {}): Promise<JsonRpcResult | JsonRpcError> {
    const id = this.post(method, params);
    return await this.answerTo(id);
  }

  /** A request of the modern era. */
  modern(method: string, params: Params = {}): Promise<JsonRpcResult | JsonRpcError> {
    return this.request(method, { ...params, _meta: MODERN_META });
  }

  /** Sends a request without waiting; returns its id. */
  post(method: string, params: Params = {}): number {
    const id = this.#nextId++;
    this.#methods.set(id, method);
    this.port.postMessage({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  notify(method: string, params: Params = {}): void {
    this.port.postMessage({ jsonrpc: '2.0', method, params });
  }

  async answerTo(id: number | string): Promise<JsonRpcResult | JsonRpcError> {
    const isAnswer = (message: Incoming | null): message is JsonRpcResult | JsonRpcError =>
      message !== null && !('method' in message) && message.id === id;
    return (await this.when(() => this.received.find(isAnswer)))!;
  }

  /** The legacy handshake. */
  async initialize(
    protocolVersion = '2025-11-25',
    capabilities: object = {},
  ): Promise<JsonRpcResult | JsonRpcError> {
    const clientInfo = { name: 'raw', version: '1' };
    const answer = await this.request('initialize', {
      protocolVersion,
      capabilities,
      clientInfo,
    });
    this.notify('notifications/initialized');
    return answer;
  }

  /** The notifications of a method, so far. */
  notifications(method: string): JsonRpcNotification[] {
    return this.received.filter(
      (message): message is JsonRpcNotification =>
        message !== null && 'method' in message && message.method === method,
    );
  }

  /** Resolves with the first truthy value of `look`, asked again after each message. */
  async when<Value>(look: () => Value | undefined | false): Promise<Value> {
    return await new Promise((resolve) => {
      const check = (): void => {
        const value = look();
        if (value === undefined || value === false) return;
        this.#waiters.delete(check);
        resolve(value);
      };
      this.#waiters.add(check);
      check();
    });
  }
}

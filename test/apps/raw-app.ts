/** An app without any library: what it says is exactly what a test wants. */
export class RawApp {
  readonly #answers = new Map<unknown, (message: { result?: unknown; error?: unknown }) => void>();
  #lastId = 0;
  /** The arguments of the call, once they are there. */
  readonly input: Promise<Record<string, unknown>>;

  constructor() {
    let resolveInput: (args: Record<string, unknown>) => void;
    this.input = new Promise((resolve) => (resolveInput = resolve));
    addEventListener('message', ({ source, data }) => {
      if (source !== parent) return;
      if (data.method === 'ui/notifications/tool-input') resolveInput(data.params.arguments);
      this.#answers.get(data.id)?.(data);
    });
  }

  send(message: object): void {
    parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  request(method: string, params: object = {}): Promise<{ result?: unknown; error?: unknown }> {
    const id = (this.#lastId += 1);
    this.send({ id, method, params });
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  async start(appCapabilities: object = {}): Promise<void> {
    await this.request('ui/initialize', {
      appInfo: { name: 'raw', version: '1.0.0' },
      appCapabilities,
      protocolVersion: '2026-01-26',
    });
    this.send({ method: 'ui/notifications/initialized', params: {} });
  }

  /** Calls the tool `report` of the server. */
  async report(what: object): Promise<void> {
    await this.request('tools/call', { name: 'report', arguments: what });
  }
}

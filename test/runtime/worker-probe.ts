/** Receives what a worker of `test/fixtures/recording-worker.ts` reports. */
export class WorkerProbe {
  /** The name of its channel, which is the worker's. */
  readonly name = `recording-${crypto.randomUUID()}`;
  readonly #channel = new BroadcastChannel(this.name);
  readonly #messages: { [key: string]: unknown }[] = [];
  #look: () => void = () => undefined;

  constructor() {
    this.#channel.addEventListener('message', ({ data }) => {
      this.#messages.push(data as { [key: string]: unknown });
      this.#look();
    });
  }

  /** Takes the next message of a kind, which has come or will. */
  async next(kind: string): Promise<{ [key: string]: unknown }> {
    return await new Promise((resolve) => {
      this.#look = () => {
        const index = this.#messages.findIndex((message) => message['kind'] === kind);
        if (index < 0) return;
        this.#look = () => undefined;
        resolve(this.#messages.splice(index, 1)[0]!);
      };
      this.#look();
    });
  }

  /** Asks the worker to misbehave; it reports the same before it does. */
  ask(what: 'throw' | 'reject' | 'hang' | 'hang up'): void {
    this.#channel.postMessage(what);
  }

  close(): void {
    this.#channel.close();
  }
}

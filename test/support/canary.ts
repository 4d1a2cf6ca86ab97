/** What reached a server that nobody may reach. */
export interface Reached {
  connections: number;
  /** The paths that were asked for. */
  requests: string[];
}

/** A server of another origin that nobody may reach (test/support/canary.mjs). */
export class Canary {
  /** Such as `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly #port: string;

  private constructor(port: string) {
    this.#port = port;
    this.origin = `http://127.0.0.1:${port}`;
  }

  static async open(): Promise<Canary> {
    const response = await fetch('/__canary');
    return new Canary(await response.text());
  }

  /** What reached it until now. */
  async reached(): Promise<Reached> {
    const response = await fetch(`/__canary?${this.#port}`, { cache: 'no-store' });
    return (await response.json()) as Reached;
  }
}

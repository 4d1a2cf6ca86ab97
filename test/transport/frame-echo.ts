import {
  acceptFrames,
  type AcceptFramesOptions,
  type FrameAcceptor,
  type FrameConnection,
  type OriginViolation,
} from '@inpage-mcp/transport';

/**
 * An acceptor whose connections are answered by an echo that says which one it is. The method `end`
 * makes it end the stream.
 */
export class FrameEcho {
  readonly acceptor: FrameAcceptor;
  readonly accepted: FrameConnection[] = [];
  readonly violations: OriginViolation[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(
    options: Omit<AcceptFramesOptions, 'onPort'>,
    accept: (options: AcceptFramesOptions) => FrameAcceptor = acceptFrames,
  ) {
    this.acceptor = accept({
      onOriginViolation: (violation) => {
        this.violations.push(violation);
        this.#changed();
      },
      ...options,
      onPort: (port, connection) => {
        const name = this.accepted.push(connection) - 1;
        port.onmessage = ({ data }) => {
          if (data === null) connection.close();
          else port.postMessage(data.method === 'end' ? null : echoOf(data, name));
        };
        this.#changed();
      },
    });
  }

  /** Resolves with the connection of this number, once it is there. */
  async connection(number: number): Promise<FrameConnection> {
    await this.#until(() => this.accepted.length > number);
    return this.accepted[number]!;
  }

  /** Resolves once so many messages were turned away. */
  async violated(count: number): Promise<OriginViolation[]> {
    await this.#until(() => this.violations.length >= count);
    return this.violations;
  }

  #changed(): void {
    for (const check of this.#waiting) check();
  }

  async #until(holds: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (!holds()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }
}

/** What the echo answers. */
export function echoOf(request: { id: unknown; params?: unknown }, connection: number): object {
  return { jsonrpc: '2.0', id: request.id, result: { connection, echo: request.params } };
}

/** A request. */
export function request(id: number | string, params: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'echo', params };
}

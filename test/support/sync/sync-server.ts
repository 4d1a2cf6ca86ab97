import { executeServerCommand } from '@web/test-runner-commands';

async function control<Value = void>(does: string, payload: object = {}): Promise<Value> {
  const answer = await executeServerCommand('sync-server', { does, ...payload });
  return (answer as { value: Value }).value;
}

/** Whether the tests of NATS can run. */
export const hasNats = (): Promise<boolean> => control('hasNats');

/** A server that devices sync over (test/support/sync/sync-servers.mjs); it ends with the tests. */
export class SyncServer {
  readonly port: number;

  private constructor(port: number) {
    this.port = port;
  }

  static async couchdb(): Promise<SyncServer> {
    const [port = 0] = await control<number[]>('openCouchdb');
    return new SyncServer(port);
  }

  /** One server, or a cluster of several. */
  static async nats(count = 1): Promise<SyncServer[]> {
    const ports = await control<number[]>('openNats', { count });
    return ports.map((port) => new SyncServer(port));
  }

  /** PouchDB Server as docs/guides/sync.md has it, for pages of an origin. */
  static async guideCouchdb(origin: string): Promise<SyncServer> {
    const [port = 0] = await control<number[]>('openGuideCouchdb', { origin });
    return new SyncServer(port);
  }

  /** One server as docs/guides/sync.md has it, or its cluster. */
  static async guideNats(origin: string, count: 1 | 3): Promise<SyncServer[]> {
    const ports = await control<number[]>('openGuideNats', { origin, count });
    return ports.map((port) => new SyncServer(port));
  }

  start(): Promise<void> {
    return this.#call('start');
  }

  kill(): Promise<void> {
    return this.#call('end', 'SIGKILL');
  }

  /** Answers nobody, until it goes on. */
  pause(): Promise<void> {
    return this.#call('end', 'SIGSTOP');
  }

  goOn(): Promise<void> {
    return this.#call('end', 'SIGCONT');
  }

  /** Keeps a copy of what it has, for {@link rollBack}. */
  backUp(): Promise<void> {
    return this.#call('backUp');
  }

  rollBack(): Promise<void> {
    return this.#call('rollBack');
  }

  #call(name: string, ...args: unknown[]): Promise<void> {
    return control('call', { port: this.port, name, args });
  }
}

/** What a hostile server answers: see test/support/sync/hostile-server.mjs. */
export interface HostileAnswer {
  status?: number;
  body?: string;
  how?: 'never' | 'endless';
}

/** An HTTP server that answers what a test says. */
export class HostileServer {
  readonly port: number;

  private constructor(port: number) {
    this.port = port;
  }

  static async open(): Promise<HostileServer> {
    const [port = 0] = await control<number[]>('openHostile');
    return new HostileServer(port);
  }

  /** By method and path, without its query, as `GET /notes`; `*` for all others. */
  answer(answers: Record<string, HostileAnswer>): Promise<void> {
    return control('call', { port: this.port, name: 'answer', args: [answers] });
  }

  /** The methods and paths that it was asked for since. */
  requests(): Promise<string[]> {
    return control('call', { port: this.port, name: 'requests', args: [] });
  }
}

import type { Runtime, Sync } from '@inpage-mcp/runtime';
import { forget, recall, remember } from '../browser/remembered.js';
import { trustedUrl } from '../browser/trusted-urls.js';
// oxlint-disable-next-line import/default -- the bundler makes it.
import workerUrl from './sync.worker.ts?worker&url';

/** The server of the user where their devices meet. */
export interface SyncServer {
  /** The address: a database of CouchDB, as `https://host/name`, or a server of NATS, as `wss://host`. */
  address: string;
  /** The name of the user; empty if the server needs none. */
  user: string;
  password: string;
}

/**
 * The key of the server, which is stored with its password, so that a device continues at the next visit
 * without asking.
 */
const STORAGE_KEY = 'inpage-mcp-demo-sync';

/**
 * The sync with the other devices of the user. Its worker is loaded when the user has named a server, now or
 * before. Fires `change`.
 */
export class SyncLink extends EventTarget {
  readonly #runtime: Runtime;
  #server: SyncServer | undefined;
  #sync: Sync | undefined;
  #problem = '';

  constructor(runtime: Runtime) {
    super();
    this.#runtime = runtime;
    const server = remembered();
    if (server) void this.use(server);
  }

  /** The server that is used. */
  get server(): SyncServer | undefined {
    return this.#server;
  }

  /** The sync; undefined until a server is named, and the worker is loaded. */
  get sync(): Sync | undefined {
    return this.#sync;
  }

  /** The reason why the worker could not be started; empty if it could. */
  get problem(): string {
    return this.#problem;
  }

  /** Connects to the other devices at a server. Never rejects. */
  async use(server: SyncServer): Promise<void> {
    this.#server = server;
    this.#problem = '';
    this.#changed();
    try {
      this.#sync = await this.#runtime.sync({ worker: makeWorker, remote: server });
      remember(STORAGE_KEY, JSON.stringify(server));
    } catch (error) {
      this.#server = undefined;
      this.#problem = (error as Error).message;
    }
    this.#changed();
  }

  /**
   * Closes the sync, and forgets the server. A device that has joined can continue at the same server later.
   */
  forgetServer(): void {
    void this.#sync?.close();
    this.#sync = this.#server = undefined;
    forget(STORAGE_KEY);
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

const makeWorker = (): Worker => new Worker(trustedUrl(workerUrl), { type: 'module' });

function remembered(): SyncServer | undefined {
  try {
    const { address, user, password } = JSON.parse(recall(STORAGE_KEY) ?? '') as SyncServer;
    return [address, user, password].every((part) => typeof part === 'string')
      ? { address, user, password }
      : undefined;
  } catch {
    return undefined;
  }
}

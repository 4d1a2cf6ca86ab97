import type { Access, ServedPortOptions } from '@inpage-mcp/server/control-plane';
import type { ServedConnection } from '../worker/served-connection.js';
import { snapshotOf } from '../worker/runtime-error.js';

/** An object whose access can be changed. */
export interface AccessTarget {
  /** Changes the access. Rejects with a `RuntimeError`: `invalid-argument`, or if the runtime has ended. */
  setAccess(access: Access): Promise<void>;
  /** The number of the connection in the activity log; absent while it has none. */
  readonly number?: number | undefined;
}

/** The access of a client, kept across its connections. */
export class ClientAccess implements AccessTarget {
  readonly #options: ServedPortOptions;
  /** The last access that a worker has accepted. */
  #accepted: Access;
  /** The last requested access, which is used for a new connection, even if no worker has accepted it yet. */
  #wanted: Access;
  #connection: ServedConnection | undefined;

  constructor({ access = {}, ...options }: ServedPortOptions) {
    this.#options = options;
    this.#accepted = snapshotOf(access);
    this.#wanted = this.#accepted;
  }

  get number(): number | undefined {
    return this.#connection?.number;
  }

  /** The options of the next connection. */
  get options(): ServedPortOptions {
    return { ...this.#options, access: this.#wanted };
  }

  /**
   * Uses a connection from now on.
   *
   * @param access The access with which it was opened; a newer one is then set.
   */
  async use(connection: ServedConnection, access: Access | undefined): Promise<void> {
    this.#connection = connection;
    if (access !== this.#wanted) await connection.setAccess(this.#wanted);
  }

  async setAccess(access: Access): Promise<void> {
    const wanted = snapshotOf(access);
    this.#wanted = wanted;
    try {
      await this.#connection?.setAccess(wanted);
      this.#accepted = wanted;
    } catch (error) {
      if (this.#wanted === wanted) this.#wanted = this.#accepted;
      throw error;
    }
  }
}

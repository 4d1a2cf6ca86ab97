import type { Access, ServedPortOptions } from '@inpage-mcp/server/control-plane';
import type { ServedConnection } from '../worker/served-connection.js';
import { snapshotOf } from './snapshot.js';

/** Whatever can be given another access. */
export interface AccessTarget {
  /** Rejects with a `RuntimeError`: `invalid-argument`, or when there is no worker any more. */
  setAccess(access: Access): Promise<void>;
}

/** What a client may do, from one of its connections to the next. */
export class ClientAccess implements AccessTarget {
  readonly #options: ServedPortOptions;
  /** The last that a worker has taken. */
  #accepted: Access;
  /** The last that was asked for: in use before the worker has answered, should it die. */
  #wanted: Access;
  #connection: ServedConnection | undefined;

  constructor({ access = {}, ...options }: ServedPortOptions) {
    this.#options = options;
    this.#accepted = snapshotOf(access);
    this.#wanted = this.#accepted;
  }

  /** How the next connection is to be served. */
  get options(): ServedPortOptions {
    return { ...this.#options, access: this.#wanted };
  }

  /**
   * Takes a connection in use.
   *
   * @param access What it was opened with; the last word may be another by now.
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

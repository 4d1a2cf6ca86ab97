import type { Access, Control, Outcome } from '@inpage-mcp/server/control-plane';
import type { Remote } from 'comlink';
import { isRestarted } from './runtime-error.js';

/** The worker that serves the connection. */
interface ServingWorker {
  /** Calls the worker. Rejects with a `RuntimeError`. */
  call<Value>(run: (control: Remote<Control>) => Promise<Outcome<Value>>): Promise<Value>;
}

/**
 * The page's side of a connection of one worker. The number of the connection is valid for this
 * worker only, and never sent to another one.
 */
export class ServedConnection {
  /**
   * Resolves with the kind of its end: `closed` by either side, which both sides know, or `lost` with the
   * worker, of which a port is not notified.
   */
  readonly ended: Promise<'closed' | 'lost'>;
  /** The number of the connection, in the activity log too. */
  readonly number: number;
  readonly #server: ServingWorker;
  /** Ends the connection. The `ServerWorker` calls this once. */
  end!: (how: 'closed' | 'lost') => void;

  constructor(server: ServingWorker, number: number) {
    this.#server = server;
    this.number = number;
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /**
   * Changes the access of the connection immediately. Does nothing if it has ended.
   *
   * @throws {RuntimeError} `invalid-argument`; or if the runtime has ended.
   */
  async setAccess(access: Access): Promise<void> {
    try {
      await this.#server.call((control) => control.setAccess(this.number, access));
    } catch (error) {
      if (!isRestarted(error)) throw error;
    }
  }

  /** Closes the connection. Never rejects. */
  async close(): Promise<void> {
    await this.#server
      .call((control) => control.closeConnection(this.number))
      .catch(() => undefined);
  }
}

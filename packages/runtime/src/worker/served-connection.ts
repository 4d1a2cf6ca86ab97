import type { Access, Control, Outcome } from '@inpage-mcp/server/control-plane';
import type { Remote } from 'comlink';
import { isRestarted } from './runtime-error.js';

/** The worker that serves it. */
interface ServingWorker {
  /** Rejects with a `RuntimeError`. */
  call<Value>(run: (control: Remote<Control>) => Promise<Outcome<Value>>): Promise<Value>;
}

/**
 * A connection of one worker, as its page knows it. Its number says nothing to the worker that
 * comes after, so it is only ever told to its own.
 */
export class ServedConnection {
  /**
   * Resolves with how it ended: `closed` from either side, which both have seen, or `lost` with
   * the worker, of which a port hears nothing.
   */
  readonly ended: Promise<'closed' | 'lost'>;
  readonly #server: ServingWorker;
  readonly #number: number;
  /** Called by the worker's page end, once. */
  end!: (how: 'closed' | 'lost') => void;

  constructor(server: ServingWorker, number: number) {
    this.#server = server;
    this.#number = number;
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /**
   * Gives it another access, at once. One that has ended is left alone.
   *
   * @throws {RuntimeError} `invalid-argument`; or when there is no worker any more.
   */
  async setAccess(access: Access): Promise<void> {
    try {
      await this.#server.call((control) => control.setAccess(this.#number, access));
    } catch (error) {
      if (!isRestarted(error)) throw error;
    }
  }

  /** Ends it. Never rejects. */
  async close(): Promise<void> {
    await this.#server
      .call((control) => control.closeConnection(this.#number))
      .catch(() => undefined);
  }
}

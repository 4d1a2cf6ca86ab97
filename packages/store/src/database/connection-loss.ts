import { toStoreError } from '../errors/store-error.js';
import type { Watchdog } from '../errors/watchdog.js';

/** The loss of a connection: the browser has closed it. */
export class ConnectionLoss {
  /** The watchdogs of the pending transactions. */
  readonly pending = new Set<Watchdog>();
  /** Resolves once the connection is closed. */
  readonly occurred: Promise<void>;
  #resolve!: () => void;

  constructor() {
    this.occurred = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** Rejects all transactions that are still pending; all others have settled by now. */
  markLost(): void {
    this.#resolve();
    // Chromium forgets transactions that began a moment before: they would never settle.
    const cause = new DOMException('The browser closed the connection.', 'UnknownError');
    for (const watchdog of this.pending) watchdog.reject(toStoreError(cause));
  }
}

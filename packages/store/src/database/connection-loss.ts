import { toStoreError } from '../errors/store-error.js';
import type { Watchdog } from '../errors/watchdog.js';

/** The end of a connection that the browser closes by itself. */
export class ConnectionLoss {
  /** The transactions that are under way. */
  readonly pending = new Set<Watchdog>();
  /** Resolves once the connection is closed. */
  readonly occurred: Promise<void>;
  #resolve!: () => void;

  constructor() {
    this.occurred = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** Ends them all: what is to settle has done so by now. */
  markLost(): void {
    this.#resolve();
    // Chromium forgets those that were begun a moment before: they would never settle.
    const cause = new DOMException('The browser closed the connection.', 'UnknownError');
    for (const watchdog of this.pending) watchdog.end(toStoreError(cause));
  }
}

import { toStoreError } from '../errors/store-error.js';
import type { Watchdog } from '../errors/watchdog.js';

/** The end of a connection that the browser closes by itself. */
export class Breakdown {
  /** The transactions that are under way. */
  readonly underWay = new Set<Watchdog>();
  /** Resolves once the connection is closed. */
  readonly happened: Promise<void>;
  #resolve!: () => void;

  constructor() {
    this.happened = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** Ends them all: what is to settle has done so by now. */
  happen(): void {
    this.#resolve();
    // Chromium forgets those that were begun a moment before: they would never settle.
    const cause = new DOMException('The browser closed the connection.', 'UnknownError');
    for (const watchdog of this.underWay) watchdog.end(toStoreError(cause));
  }
}

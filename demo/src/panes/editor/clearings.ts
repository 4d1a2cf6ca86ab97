import type { Runtime } from '@inpage-mcp/runtime';
import { forgetShares } from '../../offline/shares.js';
import { forgetWordsAside } from './unsaved-words.js';

/** That everything was deleted: by the user in this tab, or in another one or by the browser. */
export interface Clearing {
  readonly where: 'here' | 'elsewhere';
}

/** Deletes everything, and knows when that was done: words for a note that went with all others are no new note. */
export class Clearings {
  readonly #runtime: Runtime;
  readonly #channel = new BroadcastChannel('inpage-mcp-demo-clearing');
  #last: Clearing | undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#channel.addEventListener('message', () => this.happenedElsewhere());
  }

  /** The last one since this tab began, each an object of its own. */
  get last(): Clearing | undefined {
    return this.#last;
  }

  /** What another tab, or the browser, has done. */
  happenedElsewhere(): void {
    this.#last = { where: 'elsewhere' };
  }

  /** Deletes everything. Rejects as `storage.clear()` does. */
  async clear(): Promise<void> {
    const before = this.#last;
    this.#last = { where: 'here' };
    // Told before it is done: a tab that finds its note gone then knows why.
    this.#channel.postMessage('clearing');
    try {
      await this.#runtime.storage.clear();
    } catch (error) {
      this.#last = before;
      throw error;
    }
    forgetWordsAside();
    await forgetShares();
  }
}

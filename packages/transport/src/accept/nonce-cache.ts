import type { Hello } from '../handover/handover-messages.js';

/** The maximum number of nonces that are kept for each document; a repeated hello comes within seconds. */
const MAX_NONCES = 100;

interface FrameDocument {
  id: string;
  nonces: Set<string>;
}

/** The nonces of the hellos of each window, so that each hello is answered once. */
export class NonceCache {
  readonly #documents = new WeakMap<Window, FrameDocument>();

  /**
   * Records a hello.
   *
   * @returns `repeated` if its nonce is known, `reloaded` if it is the first hello of another
   *   document in this window, else `new`.
   */
  record(source: Window, { document, nonce }: Hello): 'new' | 'repeated' | 'reloaded' {
    const known = this.#documents.get(source);
    if (known?.id !== document) {
      this.#documents.set(source, { id: document, nonces: new Set([nonce]) });
      return known ? 'reloaded' : 'new';
    }
    if (known.nonces.has(nonce)) return 'repeated';
    known.nonces.add(nonce);
    for (const oldest of known.nonces) {
      if (known.nonces.size > MAX_NONCES) known.nonces.delete(oldest);
    }
    return 'new';
  }
}

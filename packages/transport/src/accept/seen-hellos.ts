import type { Hello } from '../handover/handover-messages.js';

/** So many are remembered of each document; a repetition comes within seconds. */
const MAX_NONCES = 100;

interface FrameDocument {
  id: string;
  nonces: Set<string>;
}

/** Remembers which hellos came from which window, so that each is answered once. */
export class SeenHellos {
  readonly #documents = new WeakMap<Window, FrameDocument>();

  /**
   * Notes a hello.
   *
   * @returns `repeated` where it was seen before, `reloaded` where it is the first of another
   *   document in this window, else `new`.
   */
  note(source: Window, { document, nonce }: Hello): 'new' | 'repeated' | 'reloaded' {
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

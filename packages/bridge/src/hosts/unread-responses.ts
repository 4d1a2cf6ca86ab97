import type { ServerResponse } from 'node:http';
import { MAX_UNREAD_BYTES } from '../wire/limits.js';

/**
 * What waits for clients over HTTP that do not read: there is a limit for all of it together. Past it,
 * the response that has most is cut off.
 */
export class UnreadResponses {
  readonly #waiting = new Set<ServerResponse>();

  /** Writes to a response, whether or not its client reads. */
  write(response: ServerResponse, chunk: Uint8Array | string): void {
    if (response.write(chunk) || this.#waiting.has(response)) return this.#limit();
    const end = (): void => {
      this.#waiting.delete(response);
      response.off('drain', end).off('close', end);
    };
    this.#waiting.add(response.on('drain', end).on('close', end));
    this.#limit();
  }

  #limit(): void {
    const byLength = [...this.#waiting].toSorted((a, b) => b.writableLength - a.writableLength);
    const bytes = byLength.reduce((sum, { writableLength }) => sum + writableLength, 0);
    if (bytes > MAX_UNREAD_BYTES) byLength[0]?.destroy();
  }
}

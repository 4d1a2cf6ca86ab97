import type { ServerResponse } from 'node:http';
import { MAX_UNREAD_BYTES } from '../wire/limits.js';

/**
 * Limits the data that waits for HTTP clients that do not read, in all responses together. Above the limit,
 * the response with the most unread data is closed.
 */
export class UnreadResponses {
  readonly #waiting = new Set<ServerResponse>();

  /** Writes to a response, also if its client does not read. */
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

import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_BODIES_BYTES, MAX_HOST_MESSAGE_BYTES } from '../wire/limits.js';

/**
 * Reads the bodies of requests. Limits the size of each body, and of all bodies together that are not
 * answered yet: further ones wait.
 */
export class RequestBodies {
  #bytes = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * The body as text. `undefined` if it is too long.
   *
   * @param response Its end makes room for other bodies.
   * @throws if the client disconnects.
   */
  async read(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
    let reserved = Number(request.headers['content-length'] ?? MAX_HOST_MESSAGE_BYTES);
    if (reserved > MAX_HOST_MESSAGE_BYTES) return undefined;
    response.on('close', () => this.#wake());
    while (!response.closed && this.#bytes + reserved > MAX_BODIES_BYTES)
      await new Promise<void>((wake) => this.#waiting.push(wake));
    if (response.closed) throw new Error('The client has disconnected.');
    this.#bytes += reserved;
    response.on('close', () => this.#free(reserved));
    const chunks: Buffer[] = [];
    let bytes = 0;
    const parts: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of parts) {
      bytes += chunk.length;
      if (bytes > MAX_HOST_MESSAGE_BYTES) break;
      chunks.push(chunk);
    }
    if (bytes > MAX_HOST_MESSAGE_BYTES) {
      // A client that is still sending reads the answer only if the rest of its request is read, too.
      request.resume();
      return undefined;
    }
    this.#free(reserved - bytes);
    reserved = bytes;
    return Buffer.concat(chunks).toString('utf8');
  }

  #free(bytes: number): void {
    this.#bytes -= bytes;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

// A port for a program that cannot let the system choose one, or has to share it with others.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port. It is below the ports that systems use for outgoing connections, so that other programs rarely
 * take it first, and it is not one that browsers block.
 * @returns {Promise<number>}
 */
export async function freePort() {
  const port = randomInt(11_000, 32_768);
  const server = createServer().listen({ port, host: '127.0.0.1', exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE') throw error;
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

// How a page calls its test, whatever drives its browser.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** @typedef {{ [name: string]: (...args: any[]) => unknown }} Functions */

/**
 * Lets pages call functions, by a request each.
 * @param {Functions} functions
 * @returns {Promise<string>} the address, for test/faults/page/call-test.ts
 */
export async function openCallLine(functions) {
  const server = createServer(async (request, response) => {
    const call = await text(request).catch(() => undefined);
    // A page that was killed while it called has not called.
    if (call === undefined) return;
    const { name, args } = JSON.parse(call);
    const result = await functions[name]?.(...args);
    response.setHeader('access-control-allow-origin', '*');
    response.end(JSON.stringify(result ?? null));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It is there as long as the test.
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  return `http://127.0.0.1:${address.port}`;
}

// How a page calls its test, whatever drives its browser.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** @typedef {{ [name: string]: (...args: any[]) => unknown }} Functions */

/**
 * Lets pages call functions, by a request each.
 * @param {Functions} functions
 * @returns {Promise<string>} the address, for test/faults/page/call-test.ts
 */
export async function openCallLine(functions) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { name, args } = JSON.parse(Buffer.concat(chunks).toString());
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

// Servers of the same files that a test may close, so that all pages and files of one are offline.
import { createServer } from 'node:http';

/** @typedef {import('node:http').RequestListener} RequestListener */

/** @type {Map<number, import('node:http').Server>} */
const servers = new Map();

/**
 * Opens a server.
 * @param {RequestListener} serve
 * @param {string} [cacheControl] the header of all its answers. Default: the header of the dev server
 * @returns {Promise<number>} its port
 */
export async function openServer(serve, cacheControl) {
  const server = createServer((request, response) => {
    if (cacheControl !== undefined) say(cacheControl, response);
    serve(request, response);
  });
  await new Promise((listening) => {
    server.listen(0, '127.0.0.1', () => listening(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  servers.set(address.port, server);
  return address.port;
}

/**
 * Closes a server, and every connection to it.
 * @param {number} port
 */
export async function closeServer(port) {
  const server = servers.get(port);
  if (!server) return;
  servers.delete(port);
  await new Promise((closed) => {
    server.close(closed);
    server.closeAllConnections();
  });
}

export async function closeServers() {
  await Promise.all([...servers.keys()].map(closeServer));
}

/**
 * Sets the header permanently, regardless of the dev server.
 * @param {string} cacheControl
 * @param {import('node:http').ServerResponse} response
 */
function say(cacheControl, response) {
  const setHeader = response.setHeader.bind(response);
  setHeader('cache-control', cacheControl);
  response.setHeader = (name, value) =>
    name.toLowerCase() === 'cache-control' ? response : setHeader(name, value);
}

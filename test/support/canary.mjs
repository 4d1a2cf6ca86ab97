// Servers of other origins that nobody may reach, for tests with hostile contents. Each counts its
// connections too: a browser can open one without a request.
import { createServer } from 'node:http';

/** @typedef {{ server: import('node:http').Server, connections: number, requests: string[] }} Canary */

/**
 * The plugin for @web/test-runner. Tests use it through test/support/canary.ts: `/__canary` opens a
 * server and answers with its port, and `/__canary?port` answers with what reached that one.
 * @returns {import('@web/test-runner').TestRunnerPlugin}
 */
export function canaries() {
  /** @type {Map<string, Canary>} */
  const open = new Map();
  return {
    name: 'canary',
    async serve({ path, querystring }) {
      if (path !== '/__canary') return undefined;
      const canary = open.get(querystring);
      if (!canary) return { body: await openCanary(open), type: 'text/plain' };
      const { connections, requests } = canary;
      return { body: JSON.stringify({ connections, requests }), type: 'application/json' };
    },
    serverStop() {
      for (const { server } of open.values()) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** @param {Map<string, Canary>} open */
async function openCanary(open) {
  const server = createServer((request, response) => {
    canary.requests.push(request.url ?? '');
    response.writeHead(204, { 'access-control-allow-origin': '*' }).end();
  });
  /** @type {Canary} */
  const canary = { server, connections: 0, requests: [] };
  server.on('connection', () => {
    canary.connections += 1;
  });
  await new Promise((listening) => {
    server.listen(0, '127.0.0.1', () => listening(undefined));
  });
  const address = server.address();
  const port = String(typeof address === 'object' ? address?.port : address);
  open.set(port, canary);
  return port;
}

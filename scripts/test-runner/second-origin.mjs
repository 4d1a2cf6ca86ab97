// Serves the same files on a second port, for tests with frames of another origin. It answers on
// 127.0.0.1 while the tests run on localhost: another site, hence another process and storage.
import { createServer } from 'node:http';

/**
 * The plugin for @web/test-runner. Tests read the address from test/support/second-origin.ts,
 * which fetches it from this path.
 * @returns {import('@web/test-runner').TestRunnerPlugin}
 */
export function secondOrigin() {
  /** @type {import('node:http').Server} */
  let server;
  return {
    name: 'second-origin',
    async serverStart({ app }) {
      server = createServer(app.callback());
      await new Promise((listening) => {
        server.listen(0, '127.0.0.1', () => listening(undefined));
      });
    },
    serve({ path }) {
      const address = server.address();
      if (path !== '/__second-origin' || address === null || typeof address === 'string') return;
      return { body: `http://127.0.0.1:${address.port}`, type: 'text/plain' };
    },
    serverStop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

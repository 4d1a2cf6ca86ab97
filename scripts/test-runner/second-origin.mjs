// Serves the same files on a second port, for tests with frames of another origin. It answers on
// 127.0.0.1 while the tests run on localhost: another site, hence another process and storage.
import { closeServer, openServer } from './closable-server.mjs';

/**
 * The plugin for @web/test-runner. Tests read the address from test/support/second-origin.ts,
 * which fetches it from this path.
 * @returns {import('@web/test-runner').TestRunnerPlugin}
 */
export function secondOrigin() {
  let port = 0;
  return {
    name: 'second-origin',
    async serverStart({ app }) {
      port = await openServer(app.callback());
    },
    serve({ path }) {
      if (path !== '/__second-origin') return;
      return { body: `http://127.0.0.1:${port}`, type: 'text/plain' };
    },
    serverStop: () => closeServer(port),
  };
}

// Servers that devices sync over, which tests of the page command through test/sync/sync-server.ts.
import { findNatsServer } from '../browsers/nats-server.mjs';
import { HostileServer } from '../../test/support/sync/hostile-server.mjs';
import {
  couchServer,
  guideCouchServer,
  guideNatsServers,
  natsServers,
} from '../../test/support/sync/sync-servers.mjs';

/** @typedef {import('../../test/support/sync/sync-servers.mjs').SyncServer | HostileServer} Server */

/** The servers by port. @type {Map<number, Server>} */
const servers = new Map();

/** @param {Server[]} opened */
async function startAll(opened) {
  for (const server of opened) {
    try {
      await server.start();
    } catch (error) {
      await server.remove();
      throw error;
    }
    servers.set(server.port, server);
  }
  return opened.map(({ port }) => port);
}

/** @type {{ [name: string]: (payload: any) => unknown }} */
const operations = {
  /** Whether a nats-server is installed; if it is required, the tests are not skipped. */
  hasNats: () =>
    findNatsServer() !== undefined || process.env['INPAGE_MCP_REQUIRE_NATS'] !== undefined,
  openCouchdb: async () => await startAll([await couchServer()]),
  openNats: async ({ count }) => await startAll(await natsServers(count)),
  openGuideCouchdb: async ({ origin }) => await startAll([await guideCouchServer(origin)]),
  openGuideNats: async ({ origin, count }) => await startAll(await guideNatsServers(origin, count)),
  openHostile: async () => await startAll([new HostileServer()]),
  call: ({ port, name, args }) => /** @type {any} */ (servers.get(port))[name](...args),
};

/**
 * The plugin for @web/test-runner. Its one command is `sync-server`; the payload's `does` names an
 * operation.
 * @returns {import('@web/test-runner').TestRunnerPlugin}
 */
export function syncServers() {
  return {
    name: 'sync-server',
    async executeCommand({ command, payload }) {
      if (command !== 'sync-server') return undefined;
      const { does, ...rest } = payload;
      const operation = operations[does];
      if (!operation) throw new Error(`There is no operation ${does}.`);
      // A result of `undefined` would count as an unknown command.
      return { value: await operation(rest) };
    },
    async serverStop() {
      await Promise.all([...servers.values()].map(async (server) => await server.remove()));
    },
  };
}

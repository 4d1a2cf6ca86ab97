// Hubs of a bridge that tests of the page command. Tests call it through test/runtime/desktop-hub.ts.
import { FakeHub } from '../../test/support/fake-hub.mjs';

/** @type {Map<number, FakeHub>} */
const hubs = new Map();
let lastHub = 0;

/** @param {number} number */
function hubOf(number) {
  const hub = hubs.get(number);
  if (!hub) throw new Error(`There is no hub ${number}.`);
  return hub;
}

/** @type {{ [name: string]: (payload: any) => unknown }} */
const operations = {
  async open() {
    const hub = new FakeHub();
    await hub.listen();
    lastHub += 1;
    hubs.set(lastHub, hub);
    return { hub: lastHub, port: hub.port };
  },
  // Calls a method.
  call: ({ hub, name, args }) => /** @type {any} */ (hubOf(hub))[name](...args),
  get: ({ hub, name }) => /** @type {any} */ (hubOf(hub))[name],
  set({ hub, name, value }) {
    Object.assign(hubOf(hub), { [name]: value });
  },
};

/**
 * The plugin for @web/test-runner. Its one command is `desktop-hub`; the payload's `does` names an
 * operation.
 * @returns {import('@web/test-runner').TestRunnerPlugin}
 */
export function desktopHubs() {
  return {
    name: 'desktop-hub',
    async executeCommand({ command, payload }) {
      if (command !== 'desktop-hub') return undefined;
      const { does, ...rest } = payload;
      const operation = operations[does];
      if (!operation) throw new Error(`There is no operation ${does}.`);
      // A result of `undefined` would count as an unknown command.
      return { value: await operation(rest) };
    },
    async serverStop() {
      await Promise.all([...hubs.values()].map((hub) => hub.stop()));
    },
  };
}

// Test files: all of a folder, and those of the gate, which `-- --chosen` runs of each kind of test. All others
// are run by `npm run verify`.
import { readdirSync } from 'node:fs';
import { inRoot } from '../project/project.mjs';

/** The paths of all files in a folder that Node's test runner runs. @param {string} folder */
export const nodeTestsIn = (folder) =>
  readdirSync(inRoot(folder))
    .filter((file) => file.endsWith('.test.mjs'))
    .map((file) => `${folder}/${file}`);

/**
 * The files for the browsers in which all tests run only now and then: some 300 tests of features in which
 * browsers differ: ports, frames, IndexedDB, Blobs of every size, text, drawing.
 */
export const chosenFiles = [
  'test/client/app-hosts.test.ts',
  'test/client/mcp-client.test.ts',
  'test/client/subscriptions.test.ts',
  'test/elements/mcp-app-sandbox.test.ts',
  'test/elements/mcp-app.test.ts',
  'test/elements/mcp-resource-list.test.ts',
  'test/elements/mcp-resource-view.test.ts',
  'test/runtime/page-cache.test.ts',
  'test/runtime/serve-frames.test.ts',
  'test/scenarios/back-forward-cache.test.ts',
  'test/scenarios/cross-origin-frame.test.ts',
  'test/server/disk/reads.test.ts',
  'test/server/disk/writes.test.ts',
  'test/server/note-tools.test.ts',
  'test/server/resources.test.ts',
  'test/server/subscriptions.test.ts',
  'test/store/file-store.test.ts',
  'test/store/large-files.test.ts',
  'test/store/note-search.test.ts',
  'test/store/note-store.test.ts',
  'test/store/transaction-turns.test.ts',
  'test/sync/runtime-sync.test.ts',
  'test/sync/sync-service.test.ts',
  'test/transport/accept-frames.test.ts',
  'test/transport/connect-to-window.test.ts',
];

/** The files for the built demo: its main story, and the features that a change breaks most easily. */
export const chosenOfDemo = ['demo', 'notes', 'csp', 'offline', 'assistant', 'storage'].map(
  (name) => `test/e2e/${name}.test.mjs`,
);

/** The files for the bridge: all except those that need a browser, or megabytes. */
export const chosenOfBridge = ['proofs', 'pairing', 'install', 'command', 'several', 'stdio'].map(
  (name) => `test/bridge/${name}.test.mjs`,
);

/**
 * The scenarios of faults, and their numbers: kills, ended workers, cleared data, a disk without a byte left.
 * They are always drawn in the same way.
 */
export const chosenFaults = {
  scenarios: ['mix', 'terminate', 'cleared', 'last-byte'],
  /** @type {{ [fault: string]: number | undefined }} */
  rounds: {
    'kill −9 while all kinds of things are written': 4,
    'worker.terminate() during a write': 20,
    'site data cleared while open': 2,
    'not a byte left on the disk, even after a reload': 2,
  },
  seed: '1',
};

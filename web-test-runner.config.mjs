// The tests run on sources, in a real browser; see CONTRIBUTING.md for how to run a part of them.
import { headlessShell, testedBrowsers } from './scripts/test-runner/browsers.mjs';
import { browserControl } from './scripts/test-runner/browser-control.mjs';
import { canaries } from './test/support/canary.mjs';
import { desktopHubs } from './scripts/test-runner/desktop-hub.mjs';
import { serveHeldFiles } from './test/support/held-files.mjs';
import { ownOrigin } from './scripts/test-runner/own-origin.mjs';
import { serveRemoteServers } from './test/support/remote-server.mjs';
import { secondOrigin } from './scripts/test-runner/second-origin.mjs';
import { serveApps } from './scripts/test-runner/serve-apps.mjs';
import { sharedPages, sharingFiles } from './scripts/test-runner/shared-pages.mjs';
import { serveBundles } from './scripts/test-runner/serve-bundles.mjs';
import { syncServers } from './scripts/test-runner/sync-server.mjs';
import { testPage } from './scripts/test-runner/test-page.mjs';

const chosenFiles = process.env['CHOSEN_FILES'];
const bundles = serveBundles(chosenFiles?.split('\n'));
const browserName = process.env['BROWSER'] ?? 'chromium';
const browser = testedBrowsers[browserName];
/** For the long run: what needs databases of others, waits long for a clock, or repeats a promise in a large size. */
const ofLongRun = [
  'test/elements/{long-tasks-of-lists,mcp-app-leaks}.test.ts',
  'test/scenarios/{hostile-frame,offline}.test.ts',
  'test/scenarios/chromium/{frame-death,large-file,stopped-page}.test.ts',
  'test/sync/{couchdb-remote,nats-cluster,nats-remote,runtime-sync,sync-guide}.test.ts',
];
const isQuick = process.env['TEST_SIZE'] === 'quick' && chosenFiles === undefined;
/** Of the back/forward cache, which the headless shell does not have. */
const ofPageCache = [
  'test/scenarios/chromium/asleep.test.ts',
  'test/scenarios/back-forward-cache.test.ts',
  'test/*/page-cache.test.ts',
];
const needsWindow =
  chosenFiles !== undefined && /page-cache|forward-cache|asleep/.test(chosenFiles);
const shell = browserName === 'chromium' && !needsWindow ? headlessShell() : undefined;

/** @type {import('@web/test-runner').TestRunnerConfig} */
export default {
  rootDir: import.meta.dirname,
  files: [
    // First those that mostly wait for a clock: while they wait, others have the cores.
    'test/scenarios/chromium/*.test.ts',
    'test/store/{watchdog,reserved-space}.test.ts',
    'test/**/*.test.ts',
    ...sharedPages,
    ...sharingFiles.map((file) => `!${file}`),
    // What only its DevTools protocol can do to a browser.
    ...(browserName === 'chromium' ? [] : ['!test/scenarios/chromium/**']),
    ...(isQuick ? ofLongRun.map((pattern) => `!${pattern}`) : []),
    '!test/e2e/**',
    '!**/node_modules/**',
    ...(shell ? ofPageCache.map((pattern) => `!${pattern}`) : []),
  ],
  groups:
    browser && shell && !chosenFiles
      ? [{ name: 'cache', files: ofPageCache, browsers: [browser.launcher()] }]
      : [],
  plugins: [
    bundles.plugin,
    secondOrigin(),
    canaries(),
    browserControl(),
    desktopHubs(),
    syncServers(),
  ],
  middleware: [ownOrigin, serveApps, serveHeldFiles, serveRemoteServers, bundles.middleware],
  browsers: browser ? [shell ?? browser.launcher()] : [],
  // More than cores: many tests wait for a clock, and leave the cores to others.
  concurrency: 3,
  // Only for what hangs: how long something takes depends on the machine.
  testFramework: { config: { timeout: '180000' } },
  // A busy machine takes longer than the defaults of 30 and 20 s to open a page and to begin its tests.
  browserStartTimeout: 180_000,
  testsStartTimeout: 180_000,
  testsFinishTimeout: process.env['TEST_SIZE'] === 'soak' ? 1_800_000 : 600_000,
  testRunnerHtml: testPage,
};

// The tests run on sources, in a real Chromium; see CONTRIBUTING.md for how to run a part of them.
import { chromeLauncher } from '@web/test-runner-chrome';
import { findChromium, launchFlags } from './scripts/chromium.mjs';
import { browserControl } from './scripts/test-runner/browser-control.mjs';
import { serveHeldFiles } from './scripts/test-runner/held-files.mjs';
import { ownOrigin } from './scripts/test-runner/own-origin.mjs';
import { secondOrigin } from './scripts/test-runner/second-origin.mjs';
import { serveBundles } from './scripts/test-runner/serve-bundles.mjs';
import { testPage } from './scripts/test-runner/uncaught-errors.mjs';

const bundles = serveBundles();
const executablePath = findChromium();

/** @type {import('@web/test-runner').TestRunnerConfig} */
export default {
  rootDir: import.meta.dirname,
  files: ['test/**/*.test.ts', '!test/e2e/**', '!**/node_modules/**'],
  plugins: [bundles.plugin, secondOrigin(), browserControl()],
  middleware: [ownOrigin, serveHeldFiles, bundles.middleware],
  browsers: [
    chromeLauncher({
      launchOptions: { args: launchFlags, ...(executablePath && { executablePath }) },
      // A window for each file: of the tabs of one window only the last is drawn, and what is not
      // drawn gets no animation frames and no resize observations.
      createPage: ({ context }) => context.newPage({ type: 'window' }),
    }),
  ],
  // More than cores: many tests wait for a clock, and leave the cores to others.
  concurrency: 3,
  // Only for what hangs: how long something takes depends on the machine.
  testFramework: { config: { timeout: '180000' } },
  testsFinishTimeout: 900_000,
  testRunnerHtml: testPage,
};

// The tests run on sources, in a real Chromium; see CONTRIBUTING.md for how to run a part of them.
import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { chromeLauncher } from '@web/test-runner-chrome';
import { findChromium, launchFlags } from './scripts/chromium.mjs';
import { browserControl } from './scripts/test-runner/browser-control.mjs';
import { npmBundles } from './scripts/test-runner/npm-bundles.mjs';
import { secondOrigin } from './scripts/test-runner/second-origin.mjs';
import { serveTypeScriptForJavaScript } from './scripts/test-runner/typescript-worker.mjs';
import { testPage } from './scripts/test-runner/uncaught-errors.mjs';

const { plugin: bundlesPlugin, middleware: serveBundles } = npmBundles();
const executablePath = findChromium();

/** @type {import('@web/test-runner').TestRunnerConfig} */
export default {
  rootDir: import.meta.dirname,
  files: ['test/**/*.test.ts', '!test/e2e/**', '!**/node_modules/**'],
  // `source`: packages are tested without a build. `browser`: the MCP SDK has a Node variant.
  nodeResolve: { exportConditions: ['source', 'browser'] },
  plugins: [
    bundlesPlugin,
    esbuildPlugin({
      ts: true,
      target: 'esnext',
      // For useDefineForClassFields, which Lit's properties depend on.
      tsconfig: fileURLToPath(new URL('tsconfig.base.json', import.meta.url)),
    }),
    secondOrigin(),
    browserControl(),
  ],
  middleware: [serveBundles, serveTypeScriptForJavaScript],
  browsers: [
    chromeLauncher({
      launchOptions: { args: launchFlags, ...(executablePath && { executablePath }) },
      // A window for each file: of the tabs of one window only the last is drawn, and what is not
      // drawn gets no animation frames and no resize observations.
      createPage: ({ context }) => context.newPage({ type: 'window' }),
    }),
  ],
  concurrency: 2,
  testFramework: { config: { timeout: '20000' } },
  testRunnerHtml: testPage,
};

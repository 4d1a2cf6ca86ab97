import { fileURLToPath } from 'node:url';
import { appFrame } from '../scripts/building/app-frame.mjs';
import { notesAppOfSources } from '../scripts/building/notes-app.mjs';
import { defaultClientConditions, defineConfig } from 'vite';
import { classicScript } from './classic-script.mjs';
import { demoPolicy } from './content-security-policy.mjs';
import { docsEntry, docsPages } from './docs-pages.mjs';
import { offlineWorker } from './offline-worker.mjs';
import { workerNotices } from './worker-notices.mjs';

/**
 * Writes the policy into the page, so that it applies on any static host. Not during development, because
 * vite then inserts scripts and styles of its own into the page.
 * @type {import('vite').Plugin}
 */
const contentSecurityPolicy = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: demoPolicy },
      injectTo: 'head-prepend',
    },
  ],
};

/**
 * Links the page to its source code if the build knows the address, from `SOURCE_URL`.
 * @type {import('vite').Plugin}
 */
const sourceLink = {
  name: 'source-link',
  transformIndexHtml: (html) => {
    const source = process.env['SOURCE_URL'];
    return source ? html.replace('<demo-app', `<demo-app source="${new URL(source).href}"`) : html;
  },
};

/**
 * The frame of the apps that the assistant shows.
 * @type {import('vite').Plugin}
 */
const assistantAppFrame = {
  name: 'assistant-app-frame',
  configureServer(server) {
    server.middlewares.use('/assistant/mcp-app-frame.htm', (_, response, next) => {
      appFrame().then((html) => response.setHeader('content-type', 'text/html').end(html), next);
    });
  },
  async generateBundle() {
    const fileName = 'assistant/mcp-app-frame.htm';
    this.emitFile({ type: 'asset', fileName, source: await appFrame() });
  },
};

const assistantScript = classicScript({
  fileName: 'assistant/assistant.js',
  entry: fileURLToPath(new URL('src/assistant/main.ts', import.meta.url)),
});

const modelScript = classicScript({
  fileName: 'assistant/model.js',
  entry: fileURLToPath(new URL('src/model/main.ts', import.meta.url)),
});

const exampleScript = classicScript({
  fileName: 'docs/example.js',
  entry: fileURLToPath(new URL('src/docs/example-frame.ts', import.meta.url)),
});

export default defineConfig(({ command }) => ({
  // With relative addresses, the built demo works under any path of a static host.
  base: './',
  plugins: [
    contentSecurityPolicy,
    sourceLink,
    notesAppOfSources(),
    docsPages(),
    assistantScript,
    assistantAppFrame,
    modelScript,
    exampleScript,
    offlineWorker(),
  ],
  // During development, the packages are read from their sources, so that an edit shows at once; the build
  // uses their dist/, as any other app would.
  resolve: command === 'serve' ? { conditions: ['source', ...defaultClientConditions] } : {},
  // Dependencies of the worker are found here, too, before the page requests them, because one that is found
  // late reloads the page.
  optimizeDeps: { entries: ['index.html', '../packages/!(apps|bridge)/src/**/*.ts'] },
  worker: { format: 'es', plugins: () => [workerNotices()] },
  build: {
    target: 'es2023',
    sourcemap: true,
    license: { fileName: 'THIRD-PARTY-NOTICES.md' },
    rolldownOptions: {
      input: {
        main: fileURLToPath(new URL('index.html', import.meta.url)),
        [docsEntry]: fileURLToPath(new URL('src/docs/docs.ts', import.meta.url)),
      },
      output: {
        // The pages of the docs are not pages of vite, because they name their script themselves.
        entryFileNames: ({ name }) =>
          name === docsEntry ? '[name].js' : 'assets/[name]-[hash].js',
        // The code that the pages load at first is in a few files, because forty small ones take longer.
        codeSplitting: {
          groups: [
            // This part is separate, because all others depend on it: together with some of them it would
            // need them, too.
            {
              name: 'lit',
              test: /node_modules[\\/](?:@lit|lit|lit-html|lit-element)[\\/]/,
              tags: ['$initial'],
              priority: 1,
            },
            // This is one file, because several files that the bundler merges by their size may need each
            // other, and then none would start.
            { name: 'first', tags: ['$initial'], minShareCount: 2 },
          ],
        },
        chunkFileNames: ({ name }) =>
          `assets/${name.startsWith('first~') ? 'first' : '[name]'}-[hash].js`,
      },
    },
  },
}));

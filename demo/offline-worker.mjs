// These parts make the demo an app that works without a connection: its service worker and its manifest.
import { VitePWA } from 'vite-plugin-pwa';

/** The name of the worker's file, next to index.html, whose folder is its scope. */
const fileName = 'service-worker.js';

/** @type {Partial<import('vite-plugin-pwa').ManifestOptions>} */
const manifest = {
  name: 'in-page MCP',
  short_name: 'in-page MCP',
  description: 'Your notes and files, in this browser only, as an MCP server.',
  lang: 'en',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#ffffff',
  icons: [
    { src: './icon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: './icons/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: './icons/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: './icons/maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
    { src: './icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  share_target: {
    action: './share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: 'title',
      text: 'text',
      url: 'url',
      files: [
        { name: 'files', accept: ['text/*', 'application/json', 'application/pdf', 'image/*'] },
      ],
    },
  },
  // A page that is only focused may not get the data of a POST, and a new page loses nothing.
  launch_handler: { client_mode: ['navigate-new', 'auto'] },
};

/**
 * Serves no service worker during development. A worker that a build has left at this address unregisters
 * itself, because it would continue to show the build.
 * @type {import('vite').Plugin}
 */
const noWorkerInDevelopment = {
  name: 'no-worker-in-development',
  apply: 'serve',
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      if (!request.url?.split('?')[0]?.endsWith(`/${fileName}`)) return next();
      response.setHeader('content-type', 'text/javascript').end(`
        addEventListener('install', () => skipWaiting());
        addEventListener('activate', (event) => event.waitUntil(end()));
        async function end() {
          await registration.unregister();
          for (const page of await clients.matchAll({ type: 'window' })) page.navigate(page.url);
        }
      `);
    });
  },
};

/** @returns {import('vite').PluginOption[]} */
export const offlineWorker = () => [
  noWorkerInDevelopment,
  VitePWA({
    strategies: 'injectManifest',
    srcDir: 'src/offline',
    filename: 'service-worker.ts',
    registerType: 'prompt',
    // It is registered in src/offline/keep-offline.ts, once the page has started.
    injectRegister: false,
    manifest,
    // The operating system fetches them, once.
    includeManifestIcons: false,
    integration: {
      configureCustomSWViteBuild: (options) => void (options.logLevel = 'error'),
    },
    injectManifest: {
      // The documentation is not included, because it has a worker of its own. The assistant is not included
      // either, because its frame has no origin, so that a service worker never sees its requests.
      globPatterns: ['index.html', 'icon.svg', 'assets/*.{js,css}', 'assets/mcp-app-frame-*.htm'],
      globIgnores: ['**/docs-*.css'],
      dontCacheBustURLsMatching: /^assets\//,
    },
  }),
];

// The docs site below docs/ of the demo: pages made from the documents, the manifest and the declarations. A
// build writes them; during development, each request makes its page again.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { renderPage } from '../scripts/docs/layout.mjs';
import { allPages, missingPage, pictures } from '../scripts/docs/pages.mjs';
import { inRoot } from '../scripts/project/project.mjs';
import { searchFile, searchFiles, searchParts } from '../scripts/docs/search-index.mjs';
import { docsPolicy, examplePolicy } from './content-security-policy.mjs';

/** The entry of scripts and styles, in the names of the build. */
export const docsEntry = 'docs/docs';

/** The document of the frame that runs an example. @param {string} [policy] */
const exampleDocument = (policy) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
${policy ? `<meta http-equiv="Content-Security-Policy" content="${policy}">` : ''}
<meta name="color-scheme" content="light dark">
<title>Example</title>
<style>body { font-family: system-ui, sans-serif }</style>
<body><script src="example.js"></script></body>
</html>
`;

/** @returns {import('vite').Plugin} */
export const docsPages = () => ({
  name: 'docs-pages',
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      const [, path] = /\/docs\/([^?#]*)/.exec(request.url ?? '') ?? [];
      const answer = path === undefined ? undefined : developmentAnswer(path || 'index.html');
      if (!answer) return next();
      response.setHeader('content-type', answer.type).end(answer.body);
    });
  },
  generateBundle(_, bundle) {
    const pages = allPages();
    const style = Object.keys(bundle).find((name) => /docs.*\.css$/.test(name)) ?? '';
    const assets = { policy: docsPolicy, script: 'docs.js', style: `../${style}` };
    const hash = createHash('sha256');
    for (const page of pages) {
      const source = renderPage(page, pages, assets);
      hash.update(source);
      this.emitFile({ type: 'asset', fileName: `docs/${page.path}`, source });
    }
    this.emitFile({
      type: 'asset',
      fileName: 'docs/example.html',
      source: exampleDocument(examplePolicy),
    });
    const indexes = searchFiles(pages);
    for (const [name, source] of indexes)
      this.emitFile({ type: 'asset', fileName: `docs/${name}`, source });
    for (const [file, name] of pictures)
      this.emitFile({
        type: 'asset',
        fileName: `docs/${name}`,
        source: readFileSync(inRoot(file)),
      });
    // This is the path of the site, for the page that is shown at any address.
    const missing = renderPage(missingPage(process.env['SITE_PATH'] ?? '/'), pages, assets);
    this.emitFile({ type: 'asset', fileName: '404.html', source: missing });
    const files = [
      ...pages.map(({ path }) => path),
      // The other parts are kept once the reader has searched.
      searchFile(searchParts[0] ?? ''),
      ...filesOfDocs(bundle),
      '../icon.svg',
      ...pictures.values(),
    ];
    const source = offlineWorker(files, hash.update(JSON.stringify(files)).digest('hex'));
    this.emitFile({ type: 'asset', fileName: 'docs/offline.js', source });
  },
});

/** @param {string} path below docs/ */
function developmentAnswer(path) {
  const pages = allPages();
  const index = searchFiles(pages).get(path);
  if (index) return { type: 'application/json', body: index };
  const picture = [...pictures].find(([, name]) => name === path);
  if (picture) return { type: 'image/jpeg', body: readFileSync(inRoot(picture[0])) };
  if (path === 'example.html') return { type: 'text/html', body: exampleDocument() };
  const page = pages.find((one) => one.path === path);
  if (!page) return undefined;
  const assets = {
    policy: undefined,
    script: '../src/docs/docs.ts',
    style: '../src/docs/docs.css',
  };
  return { type: 'text/html', body: renderPage(page, pages, assets) };
}

/**
 * The scripts and styles that a page of the docs may load, as seen from docs/.
 * @param {object} bundle
 */
function filesOfDocs(bundle) {
  return Object.keys(bundle)
    .filter((name) => !/(^|\/)main-|\.map$|\.html$/.test(name))
    .map((name) => (name.startsWith('docs/') ? name.slice('docs/'.length) : `../${name}`));
}

/**
 * A service worker that keeps the site for readers without a connection. Its text changes with any
 * page, so that a browser notices a new version.
 * @param {readonly string[]} files
 * @param {string} version
 */
function offlineWorker(files, version) {
  return `// Keeps the documentation for reading without a connection.
const cacheName = 'inpage-mcp-docs-${version.slice(0, 16)}';
const files = ${JSON.stringify(files)};
addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)).then(() => skipWaiting()));
});
addEventListener('activate', (event) => {
  const isOld = (name) => name.startsWith('inpage-mcp-docs-') && name !== cacheName;
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});
// The network first: a reader with a connection sees the newest version.
addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  const kept = () => caches.match(event.request, { ignoreSearch: true });
  const keepSearch = (response) => {
    if (response.ok && /\\/search-\\w+\\.json$/.test(event.request.url)) {
      const copy = response.clone();
      event.waitUntil(caches.open(cacheName).then((cache) => cache.put(event.request, copy)));
    }
    return response;
  };
  event.respondWith(
    fetch(event.request).then(keepSearch).catch(async (error) => {
      const found = (await kept()) ?? (event.request.mode === 'navigate' && (await caches.match('index.html')));
      if (found) return found;
      throw error;
    }),
  );
});
`;
}

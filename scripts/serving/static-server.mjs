// A tiny static file server for the built demo, the benchmarks and the tests of a policy.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, resolve, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';

/** @type {Record<string, string>} */
const mediaTypes = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/**
 * The file that a request names, or undefined. Nothing outside `folder` is ever named.
 * @param {string} folder absolute
 * @param {string} path the request's path below the base path, decoded
 */
function fileFor(folder, path) {
  const file = resolve(folder, `.${path.endsWith('/') ? `${path}index.html` : path}`);
  const inside = file.startsWith(folder + sep) && !file.includes('\0');
  return inside && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

/**
 * @param {string | undefined} url
 * @param {string} basePath
 */
function pathBelow(basePath, url = '/') {
  try {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    return path.startsWith(basePath) ? `/${path.slice(basePath.length)}` : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @typedef {Record<string, string>} Headers
 *
 * @typedef {object} ServeOptions
 * @property {string} [basePath] starts and ends with a slash; everything outside it is 404, as on a
 *   host that serves the app from a sub-path
 * @property {number} [port] a free one by default
 * @property {Headers | ((path: string) => Headers)} [headers] sent with every file, such as a policy; or
 *   those of one file, by its path below the base path, which begins with a slash
 * @property {boolean} [isCompressed] whether text is sent as gzip, as static hosts do; no by default
 * @property {(body: string) => void} [onPost] receives the body of each POST below the base path
 */

/**
 * Serves a folder on localhost, without caching.
 * @param {string} root
 * @param {ServeOptions} [options]
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveFolder(
  root,
  { basePath = '/', port = 0, headers, isCompressed = false, onPost } = {},
) {
  const folder = resolve(root);
  const server = createServer((request, response) => {
    const path = pathBelow(basePath, request.url);
    if (request.method === 'POST' && path !== undefined && onPost) {
      // Nothing is received of a page that ends meanwhile.
      void text(request).then(onPost, () => undefined);
      return void response.writeHead(204).end();
    }
    const file = path === undefined ? undefined : fileFor(folder, path);
    if (!file || path === undefined) return sendMissing(folder, response);
    const type = mediaTypes[extname(file)] ?? 'application/octet-stream';
    const more = typeof headers === 'function' ? headers(path) : headers;
    const isSmaller = isCompressed && /^text|json|svg/.test(type);
    response.writeHead(200, {
      'content-type': type,
      'cache-control': 'no-store',
      ...(isSmaller && { 'content-encoding': 'gzip' }),
      ...more,
    });
    const bytes = createReadStream(file);
    if (isSmaller) bytes.pipe(createGzip()).pipe(response);
    else bytes.pipe(response);
  });
  await new Promise((listening) => server.listen(port, 'localhost', () => listening(undefined)));
  return { url: addressOf(server, basePath), close: () => closeServer(server) };
}

/**
 * Answers a missing file as static hosts do: with the page of the folder for this, if it exists.
 * @param {string} folder
 * @param {import('node:http').ServerResponse} response
 */
function sendMissing(folder, response) {
  const page = fileFor(folder, '/404.html');
  response.writeHead(404, { 'content-type': mediaTypes[page ? '.html' : '.txt'] });
  if (page) createReadStream(page).pipe(response);
  else response.end('Not found');
}

/**
 * @param {import('node:http').Server} server
 * @param {string} basePath
 */
function addressOf(server, basePath) {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://localhost:${address.port}${basePath}`;
}

/**
 * @param {import('node:http').Server} server
 * @returns {Promise<void>}
 */
function closeServer(server) {
  server.closeAllConnections();
  return new Promise((closed) => server.close(() => closed()));
}

// What the demo lets the browser do, and nothing else; docs/content-security-policy.md says why each
// line is there. The built page carries it, and the end-to-end tests also send it as a header: only
// so does it hold in the worker.

/** What the runtime and the elements need; an app adds what it needs itself. */
const required = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  'media-src blob:',
  'frame-src blob:',
  "require-trusted-types-for 'script'",
];

/** What the demo can do without besides. */
const tighter = [
  'trusted-types inpage-mcp inpage-mcp-demo inpage-mcp-sandbox lit-html',
  "base-uri 'none'",
  "form-action 'none'",
];

export const requiredPolicy = required.join('; ');

/** Where the bridge to desktop apps listens. */
const bridge = 'ws://127.0.0.1:21707';

/**
 * The page of the assistant lies beside the demo, and is shown in a frame; desktop apps are reached
 * through the bridge; the manifest makes it an app that can be installed.
 */
const ofDemo = required
  .map((line) => {
    if (line.startsWith('frame-src')) return `${line} 'self'`;
    return line.startsWith('connect-src') ? `${line} ${bridge}` : line;
  })
  .concat("manifest-src 'self'");

/** What the document of a real model has: a network, and nothing else that the page has. */
const modelPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'connect-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * What the document of an example has that a reader edits: it runs what is written there, in a sandbox
 * without an origin, and reaches no network.
 */
export const examplePolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' blob:",
  "style-src 'unsafe-inline'",
  'img-src blob: data:',
  'media-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * What the worker of the sync has: it reaches the server that the user names, and has no other part of the
 * network than that of a worker.
 */
const syncPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  'connect-src https: wss: http://localhost:* http://127.0.0.1:* ws://localhost:* ws://127.0.0.1:*',
].join('; ');

/** Documents and a worker with a policy of their own: their paths below the address of the demo. */
const others = /** @type {const} */ ([
  [/^assistant\/model\.html$/, modelPolicy],
  [/^docs\/example\.html$/, examplePolicy],
  [/^assets\/sync\.worker-[\w-]+\.js$/, syncPolicy],
]);

/**
 * The policy of one of those; undefined for all others.
 * @param {string} path
 */
export const otherPolicy = (path) => others.find(([pattern]) => pattern.test(path))?.[1];

/** What the end-to-end tests send with every other response. */
export const servedPolicy = ofDemo.join('; ');
export const demoPolicy = [...ofDemo, ...tighter].join('; ');

/** The documentation also registers a service worker, and runs examples in a frame. */
export const docsPolicy = [...required, ...tighter]
  .join('; ')
  .replace('inpage-mcp-demo', 'inpage-mcp-docs')
  .replace('frame-src', "frame-src 'self'");

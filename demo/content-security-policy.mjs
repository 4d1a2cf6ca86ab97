// The permissions of the demo in the browser, and no others; docs/content-security-policy.md gives the reason
// for each line. The built page contains the policy, and the end-to-end tests also send it as a header,
// because only then does it apply to the worker.

/** The directives that the runtime and the elements need; an app adds those that it needs itself. */
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

/** The further directives that forbid features which the demo does not need. */
const tighter = [
  'trusted-types inpage-mcp inpage-mcp-demo inpage-mcp-sandbox lit-html',
  "base-uri 'none'",
  "form-action 'none'",
];

export const requiredPolicy = required.join('; ');

/** The address at which the bridge to desktop apps listens. */
const bridge = 'ws://127.0.0.1:21707';

/**
 * The policy of the demo. The page of the assistant is next to the demo, and is shown in a frame; desktop
 * apps are reached through the bridge; the manifest makes it an app that can be installed.
 */
const ofDemo = required
  .map((line) => {
    if (line.startsWith('frame-src')) return `${line} 'self'`;
    return line.startsWith('connect-src') ? `${line} ${bridge}` : line;
  })
  .concat("manifest-src 'self'");

/** The policy of the document of a real model, which has a network, but nothing else that the page has. */
const modelPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'connect-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * The policy of the document of an example that a reader edits. It runs the reader's code in a sandbox
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
 * The policy of the worker of the sync. It reaches the server that the user names, and no other part of the
 * network than any worker may reach.
 */
const syncPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  'connect-src https: wss: http://localhost:* http://127.0.0.1:* ws://localhost:* ws://127.0.0.1:*',
].join('; ');

/** The documents and the worker with a policy of their own, by their paths below the address of the demo. */
const others = /** @type {const} */ ([
  [/^assistant\/model\.html$/, modelPolicy],
  [/^docs\/example\.html$/, examplePolicy],
  [/^assets\/sync\.worker-[\w-]+\.js$/, syncPolicy],
]);

/**
 * The policy of one of these paths; `undefined` for all others.
 * @param {string} path
 */
export const otherPolicy = (path) => others.find(([pattern]) => pattern.test(path))?.[1];

/** The policy that the end-to-end tests send with every other response. */
export const servedPolicy = ofDemo.join('; ');
export const demoPolicy = [...ofDemo, ...tighter].join('; ');

/** The policy of the documentation, which also registers a service worker, and runs examples in a frame. */
export const docsPolicy = [...required, ...tighter]
  .join('; ')
  .replace('inpage-mcp-demo', 'inpage-mcp-docs')
  .replace('frame-src', "frame-src 'self'");

import { BUILD_ID } from './worker/outdated.js';

/** The used part of Trusted Types, which the library types do not have yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

interface Policy {
  /** Returns a `TrustedScriptURL`, which `Worker` accepts instead of a string. */
  createScriptURL(url: string): string;
}

/** A page with a `trusted-types` directive has to allow this name. */
const POLICY_NAME = 'inpage-mcp';

/** An address as it is, and with the build of this page. */
type Addresses = readonly [plain: string, ofBuild: string];

/** Made once: the page may forbid a second policy with the same name. */
let trustedAddresses: Addresses | undefined;

/**
 * Makes the default worker.
 *
 * @param build If it is set, no cache has the address yet.
 * @throws {TypeError} if the page requires Trusted Types and forbids the policy `inpage-mcp`.
 */
export function createDefaultWorker(build?: string): Worker {
  const Worker = class extends globalThis.Worker {
    constructor(script: URL, options: WorkerOptions) {
      super(trust(addressesOf(script))[build ? 1 : 0], options);
    }
  };
  // Bundlers find and emit the file only if this is one literal expression, with the name `Worker`.
  // They resolve the name of a package in it. A relative path would not work in vite's development
  // server, which moves this module to another folder.
  return new Worker(new URL('@inpage-mcp/runtime/worker', import.meta.url), {
    type: 'module',
    name: 'inpage-mcp',
  });
}

/** If no bundler has resolved the name of the package, the file is beside this module. */
function addressesOf(script: URL): Addresses {
  const isResolved = !script.pathname.endsWith('/@inpage-mcp/runtime/worker');
  const file = isResolved ? script : new URL('../../worker.js', script);
  const { href } = file;
  // Some bundlers pass an address without an origin, which `URL` would refuse.
  const ofBuild = `${href}${href.includes('?') ? '&' : '?'}build=${BUILD_ID}`;
  return [sameOrigin(href, file), sameOrigin(ofBuild, file)];
}

/**
 * A browser starts no worker from another origin, such as a CDN. A worker of this origin may import the
 * file, if the server of the file permits it (`Access-Control-Allow-Origin`) and the content security
 * policy of the page has `blob:` and the other origin in `worker-src`.
 */
function sameOrigin(href: string, { origin, protocol }: URL): string {
  // Not that of `location`, which a frame with `srcdoc` does not have. A sandboxed frame has no origin
  // that could make a worker: the browser says so.
  const isOwn = origin === self.origin || self.origin === 'null';
  if (isOwn || !protocol.startsWith('http')) return href;
  const code = `import ${JSON.stringify(href)};`;
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
}

/**
 * The addresses as trusted types. If the policy is forbidden, the strings: `Worker` then throws why.
 */
function trust(addresses: Addresses): Addresses {
  try {
    return (trustedAddresses ??= applyPolicy(addresses));
  } catch {
    return addresses;
  }
}

/** No reference to the policy is kept, so that no other address can use it. */
function applyPolicy([plain, ofBuild]: Addresses): Addresses {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return [plain, ofBuild];
  const policy = trustedTypes.createPolicy(POLICY_NAME, { createScriptURL: (url) => url });
  return [policy.createScriptURL(plain), policy.createScriptURL(ofBuild)];
}

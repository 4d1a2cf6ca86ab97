import { BUILD_ID } from './worker/outdated.js';

/** The part of Trusted Types that is used here: the library types do not have it yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

interface Policy {
  /** Returns a `TrustedScriptURL`, which `Worker` accepts instead of a string. */
  createScriptURL(url: string): string;
}

/** The name of the policy, which a page with a `trusted-types` directive has to allow. */
const POLICY_NAME = 'inpage-mcp';

/** An address without changes, and the same with the build of this page. */
type Addresses = readonly [plain: string, ofBuild: string];

/** The addresses, created once, because the page may forbid a second policy with the same name. */
let trustedAddresses: Addresses | undefined;

/**
 * Creates the default worker.
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

/**
 * The addresses of the worker. If no bundler has resolved the name of the package, the file is next to this
 * module.
 */
function addressesOf(script: URL): Addresses {
  const isResolved = !script.pathname.endsWith('/@inpage-mcp/runtime/worker');
  const file = isResolved ? script : new URL('../../worker.js', script);
  const { href } = file;
  // Some bundlers pass an address without an origin, which `URL` would refuse.
  const ofBuild = `${href}${href.includes('?') ? '&' : '?'}build=${BUILD_ID}`;
  return [sameOrigin(href, file), sameOrigin(ofBuild, file)];
}

/**
 * An address of the file that has the origin of the page, because a browser starts no worker from another
 * origin, such as a CDN. A worker of this origin may import the file, if the server of the file permits it
 * (`Access-Control-Allow-Origin`), and if the content security policy of the page has `blob:` and the other
 * origin in `worker-src`.
 */
function sameOrigin(href: string, { origin, protocol }: URL): string {
  // The origin of `location` is not used, because a frame with `srcdoc` does not have it. A sandboxed frame
  // has no origin that could create a worker: the browser reports this.
  const isOwn = origin === self.origin || self.origin === 'null';
  if (isOwn || !protocol.startsWith('http')) return href;
  const code = `import ${JSON.stringify(href)};`;
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
}

/**
 * The addresses as trusted types; as strings if the policy is forbidden: `Worker` then reports the reason.
 */
function trust(addresses: Addresses): Addresses {
  try {
    return (trustedAddresses ??= applyPolicy(addresses));
  } catch {
    return addresses;
  }
}

/** Applies the policy. No reference to it is kept, so that no other address can use it. */
function applyPolicy([plain, ofBuild]: Addresses): Addresses {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return [plain, ofBuild];
  const policy = trustedTypes.createPolicy(POLICY_NAME, { createScriptURL: (url) => url });
  return [policy.createScriptURL(plain), policy.createScriptURL(ofBuild)];
}

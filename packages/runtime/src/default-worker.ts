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

/** Created once: the page may forbid a second policy with the same name. */
let trustedAddress: string | undefined;

/**
 * Makes the default worker.
 *
 * @throws {TypeError} if the page requires Trusted Types and forbids the policy `inpage-mcp`.
 */
export function createDefaultWorker(): Worker {
  const Worker = class extends globalThis.Worker {
    constructor(script: URL, options: WorkerOptions) {
      super(trustAddress(addressOf(script)), options);
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
function addressOf(script: URL): string {
  const isResolved = !script.pathname.endsWith('/@inpage-mcp/runtime/worker');
  return sameOrigin(isResolved ? script : new URL('../../worker.js', script));
}

/**
 * A browser starts no worker from another origin, such as a CDN. A worker of this origin may import the
 * file, if the server of the file permits it (`Access-Control-Allow-Origin`) and the content security
 * policy of the page has `blob:` and the other origin in `worker-src`.
 */
function sameOrigin({ href, origin, protocol }: URL): string {
  // Not that of `location`, which a frame with `srcdoc` does not have. A sandboxed frame has no origin
  // that could make a worker: the browser says so.
  const isOwn = origin === self.origin || self.origin === 'null';
  if (isOwn || !protocol.startsWith('http')) return href;
  const code = `import ${JSON.stringify(href)};`;
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
}

/**
 * The address as a trusted type. If the policy is forbidden, the string: `Worker` then throws why.
 */
function trustAddress(address: string): string {
  try {
    return (trustedAddress ??= applyPolicy(address));
  } catch {
    return address;
  }
}

/** No reference to the policy is kept, so that no other address can use it. */
function applyPolicy(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return address;
  const policy = trustedTypes.createPolicy(POLICY_NAME, { createScriptURL: (url) => url });
  return policy.createScriptURL(address);
}

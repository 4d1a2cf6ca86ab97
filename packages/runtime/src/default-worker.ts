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
      super(trustAddress(script.href), options);
    }
  };
  // Bundlers find and emit the file only if this is one literal expression, with the name `Worker`.
  return new Worker(new URL('./worker.js', import.meta.url), {
    type: 'module',
    name: 'inpage-mcp',
  });
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

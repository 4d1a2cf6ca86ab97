/** Of Trusted Types what is used here: the library types have none of it yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

interface Policy {
  /** Gives a `TrustedScriptURL`, which `Worker` takes in the place of a string. */
  createScriptURL(url: string): string;
}

/** A page with a `trusted-types` directive lists this name there. */
const POLICY_NAME = 'inpage-mcp';

/** Made once: the page may forbid a second policy of the name. */
let trustedAddress: string | undefined;

/**
 * Makes the default worker.
 *
 * @throws {TypeError} where the page asks for Trusted Types and refuses the policy `inpage-mcp`.
 */
export function createDefaultWorker(): Worker {
  const Worker = class extends globalThis.Worker {
    constructor(script: URL, options: WorkerOptions) {
      super(trusted(script.href), options);
    }
  };
  // One literal expression, `Worker` by its name included: so bundlers find and emit the file.
  return new Worker(new URL('./worker.js', import.meta.url), {
    type: 'module',
    name: 'inpage-mcp',
  });
}

/** The address as the page wants it; as it is where the policy is refused: `Worker` then says why. */
function trusted(address: string): string {
  try {
    return (trustedAddress ??= throughPolicy(address));
  } catch {
    return address;
  }
}

/** Nobody keeps the policy, so that no other address ever passes through it. */
function throughPolicy(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return address;
  const policy = trustedTypes.createPolicy(POLICY_NAME, { createScriptURL: (url) => url });
  return policy.createScriptURL(address);
}

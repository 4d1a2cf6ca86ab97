/**
 * Runs a function while no other tab runs one with the same name. If Web Locks are not available, as on a
 * page over http, or forbidden, as in a sandboxed frame, it runs at once.
 */
export async function exclusively<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
  if (!('locks' in navigator)) return await run();
  let outcome: Promise<Value> | undefined;
  try {
    await navigator.locks.request(name, () => (outcome = run()));
  } catch (error) {
    // An error of `run` passes through here, too.
    if (outcome === undefined && !isForbidden(error)) throw error;
  }
  return await (outcome ?? run());
}

function isForbidden(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'SecurityError';
}

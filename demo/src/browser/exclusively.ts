/**
 * Runs something while no other tab runs anything of the same name. Where there are no Web Locks, as
 * on a page over http, or they are forbidden, as in a sandboxed frame, it runs at once.
 */
export async function exclusively<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
  if (!('locks' in navigator)) return await run();
  let outcome: Promise<Value> | undefined;
  try {
    await navigator.locks.request(name, () => (outcome = run()));
  } catch (error) {
    // What `run` rejected with passes through here, too.
    if (outcome === undefined && !isForbidden(error)) throw error;
  }
  return await (outcome ?? run());
}

function isForbidden(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'SecurityError';
}

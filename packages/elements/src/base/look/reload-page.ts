/** How long the scripts may take before the page is loaded again without them, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Loads the page again, with its scripts. A reload by itself asks the server for the document only: a script
 * whose name does not change with its contents would come from the cache, and be the old one again. Never
 * rejects.
 */
export async function reloadPage(): Promise<void> {
  const scripts = performance
    .getEntriesByType('resource')
    .filter(({ name }) => /\.m?js(\?|$)/.test(name));
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  await Promise.allSettled(scripts.map(({ name }) => fetch(name, { cache: 'reload', signal })));
  location.reload();
}

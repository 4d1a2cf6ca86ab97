/** The maximum time for the scripts before the page is loaded again without them, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Loads the page again, with its scripts. An ordinary reload requests only the document from the server. A
 * script whose name does not change with its contents would then come from the cache, in its old version.
 * Never rejects.
 */
export async function reloadPage(): Promise<void> {
  const scripts = performance
    .getEntriesByType('resource')
    .filter(({ name }) => /\.m?js(\?|$)/.test(name));
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  await Promise.allSettled(scripts.map(({ name }) => fetch(name, { cache: 'reload', signal })));
  location.reload();
}

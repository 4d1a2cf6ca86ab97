import { BUILD_ID } from '@inpage-mcp/server/control-plane';
import { RuntimeError, type RuntimeErrorCode } from './runtime-error.js';

export { BUILD_ID };

const LOADED = 'inpage-mcp: loaded';

/** The timeout for an answer of the page's server, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Whether the first message of a worker comes from another build than this page; earlier builds name none. */
export function isOfOtherBuild(firstMessage: unknown): boolean {
  return (
    typeof firstMessage === 'string' &&
    firstMessage.startsWith(LOADED) &&
    firstMessage !== `${LOADED} ${BUILD_ID}`
  );
}

/**
 * Whether the server of the page answers. If it does, a file of the page that cannot be loaded no longer
 * exists, because the app was deployed again. Never rejects.
 */
export async function isServerThere(): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  return fetch(location.href, { method: 'HEAD', cache: 'no-store', signal }).then(
    ({ status }) => status < 500,
    () => false,
  );
}

/** Reports to the page that it is old, and returns the error. */
export function reportOutdated(error: RuntimeError): RuntimeError {
  dispatchEvent(new Event('mcp-outdated'));
  return error;
}

/** The error of an old page. */
export function outdatedError(code: RuntimeErrorCode, cause?: unknown): RuntimeError {
  const hint =
    'The worker is from another build than the page, or a file of the page is gone: the app was ' +
    'deployed again. Name a copy of worker.js by its hash (docs/guides/embed.md).';
  const text = 'This page has a newer version. Reload the page.';
  return new RuntimeError(code, text, { cause, hint });
}

declare global {
  interface WindowEventMap {
    /**
     * Dispatched when the page has a newer version, because a part of this one no longer exists. Ask the user
     * to reload it.
     */
    'mcp-outdated': Event;
  }
}

import { BUILD_ID } from '@inpage-mcp/server/control-plane';
import { RuntimeError, type RuntimeErrorCode } from './runtime-error.js';

export { BUILD_ID };

const LOADED = 'inpage-mcp: loaded';

/** How long to wait for the server of the page, in milliseconds. */
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
 * Whether the server of the page answers: a file of the page that cannot be loaded is then no longer
 * there, because the app was deployed again. Never rejects.
 */
export async function isServerThere(): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  return fetch(location.href, { method: 'HEAD', cache: 'no-store', signal }).then(
    ({ status }) => status < 500,
    () => false,
  );
}

/** Reports that the page is old, to the page, and returns the error that says so. */
export function reportOutdated(error: RuntimeError): RuntimeError {
  dispatchEvent(new Event('mcp-outdated'));
  return error;
}

/** The error that says that the page is old. */
export function outdatedError(code: RuntimeErrorCode, cause?: unknown): RuntimeError {
  const hint =
    'The worker is from another build than the page, or a file of the page is gone: the app was ' +
    'deployed again. Name a copy of worker.js by its hash (docs/guides/embed.md).';
  const text = 'This page has a newer version. Reload the page.';
  return new RuntimeError(code, text, { cause, hint });
}

declare global {
  interface WindowEventMap {
    /** The page has a newer version: a part of it is no longer there. Ask the user to reload it. */
    'mcp-outdated': Event;
  }
}

import { isServerThere, outdatedError, reportOutdated } from './outdated.js';
import { RuntimeError } from './runtime-error.js';

/**
 * Loads a module that few pages need, or no page at its start. After a failure the next call retries, except
 * in browsers that keep a failed `import()` until the page ends, as Chromium does
 * (https://github.com/whatwg/html/issues/6768). So do not use this for code that recovers from a failure,
 * such as the start of another worker.
 *
 * @throws {RuntimeError} `failed` if the module cannot be loaded; `newer-version` if it no longer exists.
 */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw await loadingError(cause);
  }
}

/** The error if a part of the page cannot be loaded: see {@link loadModule}. Reports an old page. */
export async function loadingError(cause: unknown): Promise<RuntimeError> {
  if (await isServerThere()) return reportOutdated(outdatedError('newer-version', cause));
  const text =
    'A part of this page could not be loaded. Check the connection, then reload the page.';
  return new RuntimeError('failed', text, { cause });
}

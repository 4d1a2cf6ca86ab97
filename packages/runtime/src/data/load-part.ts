import { RuntimeError } from '../worker/runtime-error.js';

/**
 * Loads what few pages need, or none at its start. After a failure the next call tries again, but not
 * in browsers that keep a failed `import()` for the life of the page, as Chromium does
 * (https://github.com/whatwg/html/issues/6768). So nothing is loaded in this way that brings a page
 * back from a failure, such as the start of another worker.
 *
 * @throws {RuntimeError} `failed` where it cannot be loaded.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    const text =
      'A part of this page could not be loaded. Check the connection, then reload the page.';
    throw new RuntimeError('failed', text, { cause });
  }
}

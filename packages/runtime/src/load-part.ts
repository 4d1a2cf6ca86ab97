import { RuntimeError } from './runtime-error.js';

/**
 * Loads what a page does not need at its start. Browsers that keep a failure of `import()` for the
 * life of the page (Chromium, as of 2026; https://github.com/whatwg/html/issues/6768) fail again at
 * the next call, the others try again.
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

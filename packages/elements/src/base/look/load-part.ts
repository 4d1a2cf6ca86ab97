import { msg } from '@lit/localize';

/** The timeout of the request to the server of the page, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;

/** The error of a part that could not be loaded. Its message is in the language of the page. */
export class PartError extends Error {
  /** Whether the part no longer exists, because the app was deployed again. */
  readonly isOutdated: boolean;

  constructor(isOutdated: boolean, cause: unknown) {
    super(undefined, { cause });
    this.isOutdated = isOutdated;
  }

  override get message(): string {
    return this.isOutdated
      ? msg('This page has a newer version. Reload the page.', { id: 'mcp.outdated' })
      : msg(
          'A part of this page could not be loaded. Check the connection, then reload the page.',
          {
            id: 'mcp.part-failed',
          },
        );
  }
}

/**
 * Loads a module. If it no longer exists, the window gets the event `mcp-outdated`.
 *
 * @throws {PartError} if it cannot be loaded.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    const isOutdated = await isServerThere();
    if (isOutdated) dispatchEvent(new Event('mcp-outdated'));
    throw new PartError(isOutdated, cause);
  }
}

/** Whether the server of the page answers. If it does, the file is missing, and the connection works. */
async function isServerThere(): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  return fetch(location.href, { method: 'HEAD', cache: 'no-store', signal }).then(
    ({ status }) => status < 500,
    () => false,
  );
}

declare global {
  interface WindowEventMap {
    /**
     * Fired when a part of the page no longer exists because the page has a newer version. Ask the user to
     * reload it.
     */
    'mcp-outdated': Event;
  }
}

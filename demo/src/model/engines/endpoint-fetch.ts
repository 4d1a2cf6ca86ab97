import { FIRST_RETRY_MS, MAX_RETRIES, MAX_RETRY_WAIT_MS } from '../limits.js';

/** Too many requests, or too much to do: 529 is Anthropic's. */
const TEMPORARY: readonly number[] = [429, 503, 529];

/** The browser has not let the request through, or has not given its answer to this script. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/**
 * A `fetch` for one endpoint. A request that the endpoint refuses for the moment is made again, at most
 * twice. Redirections are not followed: the words and the key go only to the host that the user knows.
 *
 * @param hasKey Without a key, no header for one is sent.
 * @param onRetry Called before each wait, with its length.
 * @throws {UnreachableError}
 */
export function endpointFetch(hasKey: boolean, onRetry: (waitMs: number) => void): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    // It would have to be allowed by the endpoint, for nothing.
    headers.delete('user-agent');
    if (!hasKey) for (const name of ['authorization', 'x-api-key']) headers.delete(name);
    for (let retries = 0; ; retries += 1) {
      const response = await reach(input, { ...init, headers });
      const waitMs = waitBefore(retries, response);
      if (!TEMPORARY.includes(response.status) || waitMs === undefined) return response;
      void response.body?.cancel();
      onRetry(waitMs);
      await delay(waitMs, init.signal);
    }
  };
}

async function reach(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, {
      ...init,
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
  } catch (error) {
    init.signal?.throwIfAborted();
    throw new UnreachableError('The endpoint was not reached.', { cause: error });
  }
}

/**
 * Milliseconds; undefined if it is not to be tried again. A script sees `Retry-After` of another origin
 * only if the endpoint exposes it (`Access-Control-Expose-Headers`).
 */
function waitBefore(retries: number, { headers }: Response): number | undefined {
  if (retries >= MAX_RETRIES) return undefined;
  const named = headers.get('retry-after');
  if (named === null) return FIRST_RETRY_MS * 2 ** retries;
  const seconds = Number(named);
  const waitMs = Number.isNaN(seconds) ? Date.parse(named) - Date.now() : seconds * 1_000;
  return waitMs <= MAX_RETRY_WAIT_MS ? Math.max(0, waitMs) : undefined;
}

/** Rejects with the reason of the signal. */
async function delay(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { FIRST_RETRY_MS, MAX_RETRIES, MAX_RETRY_WAIT_MS } from '../limits.js';
import type { ModelSettings } from '../model-settings.js';

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

/** The model of the settings, as the AI SDK knows it. */
export function languageModel(
  { wire, endpoint, model, key }: ModelSettings,
  fetch: typeof globalThis.fetch,
): LanguageModel {
  if (wire === 'anthropic') {
    return createAnthropic({
      baseURL: endpoint,
      // The library wants one; without a key the header is not sent.
      apiKey: key || 'none',
      // Without it, Anthropic's API answers no script of a page.
      headers: { 'anthropic-dangerous-direct-browser-access': 'true' },
      fetch,
    })(model);
  }
  const isOpenAi = new URL(endpoint).hostname === 'api.openai.com';
  return createOpenAICompatible({
    name: 'endpoint',
    baseURL: endpoint,
    ...(key !== '' && { apiKey: key }),
    includeUsage: true,
    fetch,
    // The newer models of OpenAI refuse `max_tokens`; other servers know nothing else.
    ...(isOpenAi && {
      transformRequestBody: ({ max_tokens, ...body }) => ({
        ...body,
        max_completion_tokens: max_tokens,
      }),
    }),
  })(model);
}

/**
 * From now on this document reaches only the host that the user was shown. Policies add up: a later one
 * can only take away.
 */
export function allowOnly({ endpoint }: ModelSettings): void {
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = `connect-src ${endpoint === '' ? "'none'" : new URL(endpoint).origin}`;
  document.head.append(meta);
}

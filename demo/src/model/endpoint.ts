import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ClientError, McpError } from '@inpage-mcp/client';
import { APICallError, InvalidResponseDataError, RetryError, type LanguageModel } from 'ai';
import { destinationOf, type ModelSettings } from './model-settings.js';

/** The maximum length of the part of an endpoint's text that is shown, in characters. */
const MAX_WORDS = 300;

/** The model of the settings, in the form that the AI SDK uses. */
export function languageModel({ wire, endpoint, model, key }: ModelSettings): LanguageModel {
  const fetch = endpointFetch(key !== '');
  if (wire === 'anthropic') {
    return createAnthropic({
      baseURL: endpoint,
      // The library requires one; without a key the header is not sent.
      apiKey: key || 'none',
      // Without it, Anthropic's API refuses requests from a script of a page.
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
    // The newer models of OpenAI refuse `max_tokens`; other servers support only that.
    ...(isOpenAi && {
      transformRequestBody: ({ max_tokens, ...body }) => ({
        ...body,
        max_completion_tokens: max_tokens,
      }),
    }),
  })(model);
}

/**
 * A fetch that does not follow redirections, so that the user's text and the key go only to the host that the
 * user knows.
 */
function endpointFetch(hasKey: boolean): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    // The endpoint would have to allow this header, which has no use.
    headers.delete('user-agent');
    if (!hasKey) for (const name of ['authorization', 'x-api-key']) headers.delete(name);
    try {
      const options = { redirect: 'error', credentials: 'omit', referrerPolicy: 'no-referrer' };
      return await fetch(input, { ...init, ...(options as RequestInit), headers });
    } catch (error) {
      init.signal?.throwIfAborted();
      throw new UnreachableError('The endpoint was not reached.', { cause: error });
    }
  };
}

/**
 * The error of a request that the browser has not let through, or whose answer it has not given to this
 * script.
 */
class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** The error of an answer without an end: the connection was lost, or the endpoint has stopped. */
export class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError';
}

/**
 * Limits this document to the host that the user was shown. Policies add up: a later one can only restrict
 * more.
 */
export function allowOnly({ endpoint }: ModelSettings): void {
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = `connect-src ${new URL(endpoint).origin}`;
  document.head.append(meta);
}

/** The reason why an answer is missing or incomplete, as a text for the user. */
export function failureInWords(error: unknown, settings: ModelSettings): string {
  if (RetryError.isInstance(error)) return failureInWords(error.lastError, settings);
  if (error instanceof DOMException && error.name === 'AbortError') return 'Stopped.';
  if (error instanceof UnreachableError) return unreachableInWords(settings);
  if (isBroken(error)) return 'The answer broke off here: the connection to the endpoint was lost.';
  if (APICallError.isInstance(error)) return refusalInWords(error, settings);
  if (error instanceof McpError) return `The page has refused this: ${error.message}`;
  if (error instanceof ClientError) return error.message;
  return wordsOf(error) || 'The endpoint reported an error, without a reason.';
}

/** Whether an answer broke off: its body fails with a TypeError if the connection is lost. */
function isBroken(error: unknown): boolean {
  if (APICallError.isInstance(error)) return isBroken(error.cause);
  if (error instanceof BrokenStreamError || error instanceof TypeError) return true;
  return InvalidResponseDataError.isInstance(error) && /finish reason/.test(error.message);
}

function refusalInWords(error: APICallError, settings: ModelSettings): string {
  const { statusCode: status = 0 } = error;
  const host = destinationOf(settings);
  if (status === 401 || status === 403) return `${host} does not accept the key (${status}).`;
  if (status === 404)
    return `${host} has no model “${settings.model}”, or its address has another path (404).`;
  return `${host} has refused this (${status}): ${wordsOf(error)}`;
}

/** The possible reasons of an unreachable endpoint, which a browser does not report to a script. */
const unreachableInWords = (settings: ModelSettings): string =>
  `${destinationOf(settings)} was not reached. Either nothing answers at this address, or it does not ` +
  'let this frame in: its requests say “Origin: null”, and the endpoint has to allow that (CORS). ' +
  'Ollama: start it with OLLAMA_ORIGINS=*, but only while you try this, because every page that you ' +
  'visit can then use and delete your models. LM Studio: switch on CORS. A page of https may use http ' +
  'only at localhost, and the browser may also ask whether this page may reach your machine.';

/** The text of an error in the stream: it is an object of the endpoint, or a text. */
function wordsOf(error: unknown): string {
  if (typeof error === 'string') return error.slice(0, MAX_WORDS);
  if (typeof error !== 'object' || error === null) return '';
  const { message, error: inner } = error as { message?: unknown; error?: unknown };
  return typeof message === 'string' ? message.slice(0, MAX_WORDS) : wordsOf(inner);
}

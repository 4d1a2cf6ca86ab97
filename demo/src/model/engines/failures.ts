import { ClientError, McpError } from '@inpage-mcp/client';
import { APICallError, InvalidResponseDataError } from 'ai';
import { UnreachableError } from './endpoint.js';
import { MAX_RETRIES } from '../limits.js';
import { hostOf, type ModelSettings } from '../model-settings.js';

/** How much of the words of an endpoint is shown, in characters. */
const MAX_WORDS = 300;

/** An answer has no end: the connection was lost, or the endpoint has stopped. */
export class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError';
}

/** Why there is no answer, or only a part of one, for the user. */
export function failureInWords(error: unknown, settings: ModelSettings): string {
  if (error instanceof DOMException && error.name === 'AbortError') return 'Stopped.';
  if (error instanceof UnreachableError) return unreachableInWords(settings);
  if (isBroken(error)) return 'The answer broke off here: the connection to the endpoint was lost.';
  if (APICallError.isInstance(error)) return refusalInWords(error, settings);
  if (error instanceof McpError) return `The page has refused this: ${error.message}`;
  if (error instanceof ClientError) return error.message;
  const words = wordsOf(error);
  return words === '' ? 'The endpoint reported an error, without a reason.' : words;
}

/** The body of an answer fails with a TypeError where the connection is lost. */
function isBroken(error: unknown): boolean {
  if (APICallError.isInstance(error)) return isBroken(error.cause);
  if (error instanceof BrokenStreamError || error instanceof TypeError) return true;
  return InvalidResponseDataError.isInstance(error) && /finish reason/.test(error.message);
}

function refusalInWords(error: APICallError, settings: ModelSettings): string {
  const { statusCode: status = 0 } = error;
  const host = hostOf(settings);
  const words = shorten(error.message);
  if (status === 401 || status === 403) return `${host} does not accept the key (${status}).`;
  if (status === 404)
    return `${host} has no model “${settings.model}”, or its address has another path (404).`;
  if (status === 413 || (status === 400 && /context|too (?:long|large|many)|maximum/i.test(words)))
    return `This is too large for the model. Ask in a new chat, or about less. ${host} says: ${words}`;
  if (status === 429)
    return `${host} takes no more requests for the moment (429), also after up to ${MAX_RETRIES} more tries. Try again later.`;
  if (status >= 500) return `${host} has failed (${status}): ${words}`;
  if (status >= 400) return `${host} has refused this (${status}): ${words}`;
  return `${host} has sent what is no answer of this kind of endpoint.`;
}

/** A browser does not report to a script which of these it was. */
function unreachableInWords(settings: ModelSettings): string {
  const { protocol, hostname, host } = new URL(settings.endpoint);
  const isLocal = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  const reasons = [
    `${host} was not reached. Either nothing answers at this address, or it does not let this frame in.`,
    'The frame has no origin of its own, so its requests say “Origin: null”: the endpoint has to allow that (CORS).',
  ];
  if (isLocal)
    reasons.push(
      'Ollama: start it with OLLAMA_ORIGINS=*, but only while you try this, because every page that you visit can then use and delete your models. llama.cpp: llama-server allows every origin. LM Studio: switch on CORS. The browser may also ask whether this page may reach your machine.',
    );
  else if (protocol === 'http:')
    reasons.push('A page of https may use http only at localhost: this address needs https.');
  else
    reasons.push(
      'An endpoint that allows no page without an origin cannot be used from here: put a gateway of your own in front of it.',
    );
  return reasons.join(' ');
}

/** Errors in the stream are objects of the endpoint, or texts. */
function wordsOf(error: unknown): string {
  if (typeof error === 'string') return shorten(error);
  if (typeof error !== 'object' || error === null) return '';
  const { message, error: inner } = error as { message?: unknown; error?: unknown };
  return typeof message === 'string' ? shorten(message) : wordsOf(inner);
}

const shorten = (words: string): string =>
  words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)} …` : words;

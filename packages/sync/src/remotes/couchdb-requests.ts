import { abortable, REQUEST_TIMEOUT_MS } from './checks.js';
import { invalid, type Json, MAX_ANSWER_BYTES, objectOf, unavailable } from './couchdb-answers.js';
import { RemoteError, type RemoteErrorCode } from './remote.js';

/** Options for a database. */
export interface CouchdbOptions {
  /**
   * The address of the user's own database, such as `https://host/name`; it is created if it does not exist.
   */
  url: string | URL;
  /** The headers of a request, such as `Authorization`. Called for each request. Default: no headers. */
  headers?: () => HeadersInit | Promise<HeadersInit>;
  /** The function that sends requests. Default: the global `fetch`. */
  fetch?: typeof fetch;
}

/** The number of rows that are requested at once, each some hundred bytes. */
export const ROWS = 1_000;

/** The number of bytes of documents that a request or an answer should have. */
export const DOCUMENT_BYTES = 2_000_000;

export interface Answer {
  status: number;
  value: Json;
  sizeBytes: number;
}

interface AskOptions {
  /** The body, as a value of JSON. */
  body?: unknown;
  /** A status that is not an error here, in addition to those of success. */
  accepts?: number;
  timeoutMs?: number;
}

/** Sends a request to the database, limited in time and size; its errors are those of a remote. */
export type Ask = (
  signal: AbortSignal,
  method: string,
  path: string,
  options?: AskOptions,
) => Promise<Answer>;

/** Creates the function that sends the requests of a database. */
export function asker({
  url,
  headers = () => ({}),
  fetch = globalThis.fetch,
}: CouchdbOptions): Ask {
  const base = String(url).replace(/\/+$/, '');

  async function exchange(path: string, init: RequestInit): Promise<Answer> {
    const all = new Headers(await headers());
    all.set('content-type', 'application/json');
    const response = await fetch(base + path, { ...init, headers: all });
    const text = await textUpTo(response, MAX_ANSWER_BYTES);
    // The status is the one with which a server refuses a body that is too large.
    if (text === undefined) return { status: 413, value: {}, sizeBytes: 8 * MAX_ANSWER_BYTES };
    return { status: response.status, value: parsed(text, response.ok), sizeBytes: text.length };
  }

  return async (caller, method, path, { body, accepts, timeoutMs = REQUEST_TIMEOUT_MS } = {}) => {
    const signal = AbortSignal.any([caller, AbortSignal.timeout(timeoutMs)]);
    const init = { method, signal, cache: 'no-store', body: JSON.stringify(body) ?? null } as const;
    let answer: Answer;
    try {
      answer = await abortable(exchange(path, init), signal);
    } catch (error) {
      caller.throwIfAborted();
      if (error instanceof RemoteError) throw error;
      throw unavailable(`no answer to ${method} ${path}`, error);
    }
    const { status, value } = answer;
    if (status < 300 || status === accepts) return answer;
    const said = JSON.stringify(value).slice(0, 200);
    throw new RemoteError(codeOf(status, said), `${method} ${path}: ${status} ${said}`);
  };
}

/** The text of a body; `undefined` if it is longer, whose rest is not read. */
async function textUpTo(response: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    sizeBytes += part.value.length;
    if (sizeBytes > maxBytes) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** The object in a body; the body of an error may have any content. */
function parsed(text: string, isSuccess: boolean): Json {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    if (!isSuccess) return {};
    throw isCut(text) ? unavailable('its answer breaks off') : invalid('no JSON');
  }
}

/**
 * Whether a text was cut off. In WebKit, the body of a server that dies ends like any other, but it has only
 * heartbeats, or open braces.
 */
function isCut(text: string): boolean {
  const outside = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"?/gs, '');
  return /^\s+$/.test(text) || outside.split(/[{[]/).length > outside.split(/[}\]]/).length;
}

function codeOf(status: number, said: string): RemoteErrorCode {
  if (status === 409) return 'conflict';
  if (status === 507 || /\bfull\b|enospc|quota/i.test(said)) return 'full';
  if (status === 401 || status === 403) return 'unauthorized';
  // 404 means that the database does not exist; `state` creates it.
  return status >= 500 || [404, 408, 425, 429].includes(status) ? 'unavailable' : 'invalid';
}

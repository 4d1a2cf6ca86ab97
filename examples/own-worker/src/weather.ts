import type { ResourceChangeListener, ResourceProvider } from '@inpage-mcp/server';
import { AnswerStore, type KeptAnswer } from './answer-store.js';
import { onePage } from './one-page.js';

/** The answer of the weather API. */
export const WEATHER_URI = 'weather:///today';

/** Stands in for an API: a file beside this one, so that the example needs no network. */
const API_URL = new URL('./weather.json', import.meta.url);
const FETCH_TIMEOUT_MS = 10_000;
const MEDIA_TYPE = 'application/json';

const WEATHER = {
  uri: WEATHER_URI,
  name: 'today',
  title: 'Weather',
  description: 'The latest weather that the API has reported.',
  mimeType: MEDIA_TYPE,
};

/** How the weather is kept. */
export interface WeatherOptions {
  /** From which age on an answer is fetched again. Default: 10 minutes. */
  maxAgeMs?: number;
  /** The app's own database, apart from the one of the notes. Default: `own-worker-example`. */
  databaseName?: string;
}

/**
 * An API response as a resource: fetched when somebody reads it and the kept one is missing or too
 * old, and served from IndexedDB otherwise, also while the network is away.
 */
export function weather(options: WeatherOptions = {}): ResourceProvider {
  const { maxAgeMs = 10 * 60_000, databaseName = 'own-worker-example' } = options;
  const answers = new AnswerStore(databaseName);
  const listeners = new Set<ResourceChangeListener>();
  let fetching: Promise<KeptAnswer> | undefined;

  async function refresh(kept: KeptAnswer | undefined): Promise<KeptAnswer> {
    const answer = { text: await fetchJson(API_URL), fetchedAt: Date.now() };
    await answers.put(WEATHER_URI, answer);
    // Only an accepted answer is reported. No client can have read anything before the first answer.
    if (kept && kept.text !== answer.text) {
      for (const listener of listeners) listener([{ uri: WEATHER_URI, listChanged: false }]);
    }
    return answer;
  }

  async function current(): Promise<KeptAnswer> {
    const kept = await answers.get(WEATHER_URI);
    if (kept && Date.now() - kept.fetchedAt < maxAgeMs) return kept;
    // Readers that come at the same time share one request, so none of them can cancel it.
    fetching ??= refresh(kept).finally(() => (fetching = undefined));
    // An old answer is better than none.
    return kept ? await fetching.catch(() => kept) : await fetching;
  }

  return {
    name: 'weather',
    templates: [],
    list: async ({ after }) => onePage(WEATHER, after),
    async read(uri) {
      if (uri !== WEATHER_URI) return undefined;
      const { text, fetchedAt } = await current();
      // The text is the API's own; how old it is stands beside it.
      const _meta = { fetchedAt: new Date(fetchedAt).toISOString() };
      return [{ uri, mimeType: MEDIA_TYPE, text, _meta }];
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The body of an answer that is JSON: a login page of some network must not be kept. */
async function fetchJson(url: URL): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}.`);
  const text = await response.text();
  JSON.parse(text);
  return text;
}

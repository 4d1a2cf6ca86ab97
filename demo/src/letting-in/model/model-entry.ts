import type { ModelSettings, ModelWire } from '../../model/model-settings.js';
import { forget, recall, remember } from '../../session/remembered.js';

/** What the user has entered, as it stands in the fields. */
export type ModelEntry = ModelSettings;

/** Where most of the users of each wire are. */
export const USUAL_ENDPOINTS: { [wire in ModelWire]: string } = {
  openai: 'http://localhost:11434/v1',
  anthropic: 'https://api.anthropic.com/v1',
  'built-in': '',
};

/**
 * The settings that were entered.
 *
 * @throws {Error} with words for the user.
 */
export function checkEntry({ wire, endpoint, model, key }: ModelEntry): ModelSettings {
  if (wire === 'built-in') return { wire, endpoint: '', model: '', key: '' };
  const name = model.trim();
  const address = checkEndpoint(endpoint);
  if (name === '') throw new Error('Which model? Enter its name, as the endpoint knows it.');
  return { wire, endpoint: address, model: name, key: key.trim() };
}

/** @throws {Error} */
function checkEndpoint(endpoint: string): string {
  const url = URL.parse(endpoint.trim());
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('The address begins with https:// or http://, as http://localhost:11434/v1.');
  if (url.username || url.password || url.search || url.hash)
    throw new Error(
      'The address has no name, password, “?” or “#”: enter the key in its own field.',
    );
  // Both are often copied with what the library adds itself.
  const path = url.pathname.replace(/\/(?:chat\/completions|messages)?\/*$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

/** Whether others on the way can read what is sent. */
export function isReadable(endpoint: string): boolean {
  const url = URL.parse(endpoint.trim());
  return url?.protocol === 'http:' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
}

/** Only there if the user has asked for it: it holds the key. */
const STORAGE_KEY = 'inpage-mcp-demo-model';

/** The model that the user wanted to be remembered, with its key; undefined if there is none. */
export function rememberedModel(): ModelSettings | undefined {
  try {
    const { wire, endpoint, model, key } = JSON.parse(recall(STORAGE_KEY) ?? '{}') as {
      [field: string]: unknown;
    };
    const texts = [wire, endpoint, model, key];
    if (!texts.every((one) => typeof one === 'string')) return undefined;
    return { wire, endpoint, model, key } as ModelSettings;
  } catch {
    return undefined;
  }
}

/** Returns whether it could be done. */
export const rememberModel = (settings: ModelSettings): boolean =>
  remember(STORAGE_KEY, JSON.stringify(settings));

export const forgetModel = (): void => forget(STORAGE_KEY);

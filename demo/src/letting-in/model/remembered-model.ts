import type { ModelSettings } from '../../model/model-settings.js';
import { forget, recall, remember } from '../../session/remembered.js';

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

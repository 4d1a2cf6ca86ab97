import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { ModelSettings } from '../model-settings.js';

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

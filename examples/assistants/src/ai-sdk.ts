import { createAnthropic } from '@ai-sdk/anthropic';
import { toTools } from '@inpage-mcp/models';
import { generateText, stepCountIs } from 'ai';
import { client, onQuestion } from './page';

onQuestion('https://api.anthropic.com/v1', async (question, { baseURL, apiKey, model }) => {
  const headers = { 'anthropic-dangerous-direct-browser-access': 'true' };
  const anthropic = createAnthropic({ baseURL, apiKey, headers });
  const { tools } = await toTools(client, { format: 'ai-sdk', budget: 8_000 });
  const { text } = await generateText({
    model: anthropic(model),
    tools,
    prompt: question,
    stopWhen: stepCountIs(8),
  });
  return text;
});

import Anthropic from '@anthropic-ai/sdk';
import { toTools } from '@inpage-mcp/models';
import { client, onQuestion } from './page';

onQuestion('https://api.anthropic.com', async (question, { baseURL, apiKey, model }) => {
  const anthropic = new Anthropic({ baseURL, apiKey, dangerouslyAllowBrowser: true });
  const { tools, call } = await toTools(client, { format: 'anthropic', budget: 8_000 });
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
  for (let round = 0; round < 8; round += 1) {
    const request = { model, max_tokens: 4_096, tools, messages };
    const { content } = await anthropic.messages.create(request);
    messages.push({ role: 'assistant', content });
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const block of content) {
      if (block.type !== 'tool_use') continue;
      const answer = await call(block.name, block.input);
      results.push({ type: 'tool_result', tool_use_id: block.id, ...answer });
    }
    if (results.length === 0)
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    messages.push({ role: 'user', content: results });
  }
});

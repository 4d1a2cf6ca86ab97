import { toTools } from '@inpage-mcp/models';
import OpenAI from 'openai';
import { client, onQuestion } from './page';

onQuestion('https://api.openai.com/v1', async (question, { baseURL, apiKey, model }) => {
  const openai = new OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true });
  const { tools, call } = await toTools(client, { format: 'openai', budget: 8_000 });
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question }];
  for (let round = 0; round < 8; round += 1) {
    const response = await openai.responses.create({ model, tools, input });
    const calls = response.output.filter((item) => item.type === 'function_call');
    if (calls.length === 0) return response.output_text;
    input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
    for (const { name, arguments: args, call_id } of calls) {
      const output = await call(name, args);
      input.push({ type: 'function_call_output', call_id, output });
    }
  }
});

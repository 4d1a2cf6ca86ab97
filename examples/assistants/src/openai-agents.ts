import { toTools } from '@inpage-mcp/models';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import OpenAI from 'openai';
import { client, onQuestion } from './page';

onQuestion('https://api.openai.com/v1', async (question, { baseURL, apiKey, model }) => {
  const openAIClient = new OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true });
  const { tools, call } = await toTools(client, { format: 'text', budget: 8_000 });
  const agent = new Agent({
    name: 'Notes',
    model,
    tools: tools.map(({ name, description, inputSchema }) =>
      tool({
        name,
        description,
        parameters: { additionalProperties: true as const, required: [], ...inputSchema },
        strict: false,
        execute: (input) => call(name, input),
      }),
    ),
  });
  const modelProvider = new OpenAIProvider({ openAIClient });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  return (await runner.run(agent, question, { maxTurns: 8 })).finalOutput;
});

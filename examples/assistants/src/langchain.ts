import { toTools } from '@inpage-mcp/models';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { client, onQuestion } from './page';

onQuestion('https://api.openai.com/v1', async (question, { baseURL, apiKey, model }) => {
  const configuration = { baseURL, dangerouslyAllowBrowser: true };
  const { tools, call } = await toTools(client, { format: 'text', budget: 8_000 });
  const agent = createAgent({
    model: new ChatOpenAI({ model, apiKey, configuration }),
    tools: tools.map(({ name, description, inputSchema }) =>
      tool((input) => call(name, input), { name, description, schema: inputSchema }),
    ),
  });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: question }] });
  return messages.at(-1)?.text;
});

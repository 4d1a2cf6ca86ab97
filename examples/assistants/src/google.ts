import { GoogleGenAI, type Content } from '@google/genai';
import { toTools } from '@inpage-mcp/models';
import { client, onQuestion } from './page';

const ENDPOINT = 'https://generativelanguage.googleapis.com';

onQuestion(ENDPOINT, async (question, { baseURL: baseUrl, apiKey, model }) => {
  const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
  const { tools, call } = await toTools(client, { format: 'google', budget: 8_000 });
  const contents: Content[] = [{ role: 'user', parts: [{ text: question }] }];
  for (let round = 0; round < 8; round += 1) {
    const response = await google.models.generateContent({ model, contents, config: { tools } });
    const { functionCalls = [], candidates = [] } = response;
    if (functionCalls.length === 0) return response.text;
    if (candidates[0]?.content) contents.push(candidates[0].content);
    const parts = [];
    for (const { id, name = '', args } of functionCalls) {
      const answer = await call(name, args);
      parts.push({ functionResponse: { ...(id !== undefined && { id }), name, ...answer } });
    }
    contents.push({ role: 'user', parts });
  }
});

import { createRequestStateCodec, McpServer } from '@inpage-mcp/protocol';
import { changingTools } from './changing-tools.js';
import { contentTools } from './content-tools.js';
import { inputRequiredPrompt, inputRequiredTools } from './input-required-tools.js';
import { interactiveTools } from './interactive-tools.js';
import { prompts } from './prompts.js';
import { resources } from './resources.js';

/** The server that the official conformance suite expects: its scenarios name each tool, prompt and resource. */
export function fixtureServer(): McpServer {
  const states = createRequestStateCodec<string>({
    key: crypto.getRandomValues(new Uint8Array(32)),
  });
  const server = new McpServer(
    { name: 'inpage-mcp-conformance', version: '1.0.0' },
    {
      tools: [...contentTools, ...interactiveTools, ...inputRequiredTools(states)],
      prompts: [...prompts, inputRequiredPrompt],
      resources,
      requestState: states,
    },
  );
  for (const tool of changingTools(server)) server.addTool(tool);
  return server;
}

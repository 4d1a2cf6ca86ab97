/** The worker of `npm run conformance`: a server as an app has it, with what the suite expects in the place of notes. */
import { createRequestStateCodec } from '@inpage-mcp/protocol';
import { startServer } from '@inpage-mcp/server';
import { changingTools } from './changing-tools.js';
import { contentTools } from './content-tools.js';
import { inputRequiredPrompt, inputRequiredTools } from './input-required-tools.js';
import { interactiveTools } from './interactive-tools.js';
import { prompts } from './prompts.js';
import { fixtures } from './resources.js';

const states = createRequestStateCodec<string>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

startServer({
  serverInfo: { name: 'inpage-mcp-conformance', version: '1.0.0' },
  providers: [fixtures],
  features: [],
  requestState: states,
  configure(server) {
    for (const tool of [...contentTools, ...interactiveTools, ...inputRequiredTools(states)])
      server.addTool(tool);
    for (const tool of changingTools(server)) server.addTool(tool);
    for (const prompt of [...prompts, inputRequiredPrompt]) server.addPrompt(prompt);
  },
});

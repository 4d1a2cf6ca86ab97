import { definePrompt, defineTool, type McpServer, type Tool } from '@inpage-mcp/protocol';

const passingTool = defineTool({ name: 'test_passing_tool', run: () => 'It is gone soon.' });

const passingPrompt = definePrompt({
  name: 'test_passing_prompt',
  run: () => ({ messages: [] }),
});

/** Tools that change the lists of the server: each adds an entry and removes it again. */
export function changingTools(server: Pick<McpServer, 'addTool' | 'addPrompt'>): Tool[] {
  return [
    defineTool({
      name: 'test_trigger_tool_change',
      description: 'Changes the list of tools.',
      run() {
        server.addTool(passingTool)();
        return 'The list of tools has changed.';
      },
    }),
    defineTool({
      name: 'test_trigger_prompt_change',
      description: 'Changes the list of prompts.',
      run() {
        server.addPrompt(passingPrompt)();
        return 'The list of prompts has changed.';
      },
    }),
  ];
}

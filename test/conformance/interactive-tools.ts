import { defineTool } from '@inpage-mcp/protocol';

/** The time between two messages of a tool, in milliseconds, as the suite describes it. */
const STEP_MS = 50;

/** Tools that send or ask something while they run. */
export const interactiveTools = [
  defineTool({
    name: 'test_tool_with_logging',
    description: 'Sends three messages of the log.',
    async run(_input, call) {
      call.log('info', 'Tool execution started');
      await step();
      call.log('info', 'Tool processing data');
      await step();
      call.log('info', 'Tool execution completed');
      return 'Sent three messages of the log.';
    },
  }),
  defineTool({
    name: 'test_logging_tool',
    description: 'Sends a message of the log.',
    run(_input, call) {
      call.log('info', 'The tool runs.');
      return 'Sent a message of the log.';
    },
  }),
  defineTool({
    name: 'test_tool_with_progress',
    description: 'Reports its progress three times.',
    async run(_input, call) {
      call.progress(0, 100);
      await step();
      call.progress(50, 100);
      await step();
      call.progress(100, 100);
      return 'Reported the progress.';
    },
  }),
  defineTool({
    name: 'test_sampling',
    description: 'Asks the model of the client.',
    input: {
      type: 'object',
      properties: { prompt: { type: 'string' } },
      required: ['prompt'],
    },
    async run({ prompt }, call) {
      const { content } = await call.sample('response', {
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      });
      return `LLM response: ${JSON.stringify(content)}`;
    },
  }),
  defineTool({
    name: 'test_missing_capability',
    description: 'Needs a client whose model it can ask.',
    async run(_input, call) {
      const { content } = await call.sample('response', {
        messages: [{ role: 'user', content: { type: 'text', text: 'Say something.' } }],
        maxTokens: 10,
      });
      return JSON.stringify(content);
    },
  }),
  defineTool({
    name: 'test_elicitation',
    description: 'Asks the user for a name and an address.',
    input: {
      type: 'object',
      properties: { message: { type: 'string' } },
      required: ['message'],
    },
    async run({ message }, call) {
      const { action, content } = await call.elicit('user', {
        message,
        requestedSchema: {
          type: 'object',
          properties: {
            username: { type: 'string', description: "User's response" },
            email: { type: 'string', description: "User's email address" },
          },
          required: ['username', 'email'],
        },
      });
      return `User response: action=${action}, content=${JSON.stringify(content)}`;
    },
  }),
  elicitationTool('test_streaming_elicitation', { answer: { type: 'string' } }),
  elicitationTool('test_elicitation_sep1034_defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  elicitationTool('test_elicitation_sep1330_enums', {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: [
        { const: 'value1', title: 'First Option' },
        { const: 'value2', title: 'Second Option' },
        { const: 'value3', title: 'Third Option' },
      ],
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'value1', title: 'First Choice' },
          { const: 'value2', title: 'Second Choice' },
          { const: 'value3', title: 'Third Choice' },
        ],
      },
    },
  }),
];

/** A tool that asks the user to fill in a form. */
function elicitationTool(
  name: string,
  properties: { [property: string]: object },
): ReturnType<typeof defineTool> {
  return defineTool({
    name,
    description: 'Asks the user to fill in a form.',
    async run(_input, call) {
      const { action, content } = await call.elicit('form', {
        message: 'Please fill in the form.',
        requestedSchema: { type: 'object', properties },
      });
      return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
    },
  });
}

function step(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, STEP_MS));
}

import {
  acceptedContent,
  definePrompt,
  defineTool,
  inputRequired,
  inputResponse,
  type Call,
  type ElicitFormParams,
  type InputRequest,
  type RequestStateCodec,
  type SampleParams,
  type Tool,
} from '@inpage-mcp/protocol';

const NAME_FORM = form('What is your name?', 'name', 'string');
const CONFIRMATION_FORM = form('Please confirm', 'ok', 'boolean');

/**
 * Tools of the scenarios `input-required-result-*` (2026-07-28, Multi Round-Trip Requests). They use
 * both ways of this package: some return `inputRequired`, others await `call.elicit` and its like.
 *
 * @param states Signs the states that tools give to the client.
 */
export function inputRequiredTools(states: RequestStateCodec<string>): Tool[] {
  return [
    defineTool({
      name: 'test_input_required_result_elicitation',
      description: 'Asks the user for a name.',
      run(_input, call) {
        const name = acceptedText(call, 'user_name', 'name');
        if (name !== undefined) return `Hello, ${name}!`;
        return inputRequired({ inputRequests: { user_name: inputRequired.elicit(NAME_FORM) } });
      },
    }),
    defineTool({
      name: 'test_input_required_result_sampling',
      description: 'Asks the model of the client for a capital.',
      async run(_input, call) {
        const question = sampling('What is the capital of France?', 100);
        const { content } = await call.sample('capital_question', question);
        return `The model says: ${JSON.stringify(content)}`;
      },
    }),
    defineTool({
      name: 'test_input_required_result_list_roots',
      description: 'Asks the client for its roots.',
      async run(_input, call) {
        const { roots } = await call.listRoots('client_roots');
        return `Roots: ${roots.map(({ uri }) => uri).join(', ')}`;
      },
    }),
    confirmingTool('test_input_required_result_request_state', states),
    confirmingTool('test_input_required_result_tampered_state', states),
    defineTool({
      name: 'test_input_required_result_multiple_inputs',
      description: 'Asks for a name, a greeting and the roots at the same time.',
      async run(_input, call) {
        const name = acceptedText(call, 'user_name', 'name');
        const greeting = inputResponse(call.inputResponses, 'greeting');
        const listed = inputResponse(call.inputResponses, 'client_roots');
        if (name !== undefined && greeting.kind === 'sample' && listed.kind === 'roots') {
          const { content } = greeting.result;
          return `${JSON.stringify(content)} ${name}, with ${listed.roots.length} roots`;
        }
        return inputRequired({
          inputRequests: {
            user_name: inputRequired.elicit(NAME_FORM),
            greeting: inputRequired.sample(sampling('Generate a greeting', 50)),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await states.mint('multiple inputs', call),
        });
      },
    }),
    defineTool({
      name: 'test_input_required_result_multi_round',
      description: 'Asks for a name, then for a color.',
      async run(_input, call) {
        const nameForm = form('Step 1: What is your name?', 'name', 'string');
        const name = await call.elicit('step1', nameForm);
        const colorForm = form('Step 2: What is your favorite color?', 'color', 'string');
        const color = await call.elicit('step2', colorForm);
        return `${String(name.content?.['name'])} likes ${String(color.content?.['color'])}.`;
      },
    }),
    defineTool({
      name: 'test_input_required_result_capabilities',
      description: 'Asks only for what the client has declared that it supports.',
      run(_input, call) {
        const { elicitation, sampling: model, roots } = call.clientCapabilities;
        const inputRequests: { [key: string]: InputRequest } = {
          ...(elicitation && { user_name: inputRequired.elicit(NAME_FORM) }),
          ...(model && { greeting: inputRequired.sample(sampling('Generate a greeting', 50)) }),
          ...(roots && { client_roots: inputRequired.listRoots() }),
        };
        const missing = Object.keys(inputRequests).filter(
          (key) => inputResponse(call.inputResponses, key).kind === 'missing',
        );
        return missing.length === 0 ? 'There is nothing to ask.' : inputRequired({ inputRequests });
      },
    }),
  ];
}

/** A prompt that asks the user for its context. */
export const inputRequiredPrompt = definePrompt({
  name: 'test_input_required_result_prompt',
  description: 'Asks the user for a context.',
  run(_values, call) {
    const context = acceptedText(call, 'user_context', 'context');
    if (context !== undefined) {
      const text = `Use this context: ${context}`;
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    }
    const question = inputRequired.elicit(form('What is the context?', 'context', 'string'));
    return inputRequired({ inputRequests: { user_context: question } });
  },
});

/** Asks for a confirmation. When it runs again, the server has verified the state that came back. */
function confirmingTool(name: string, states: RequestStateCodec<string>): Tool {
  return defineTool({
    name,
    description: 'Asks for a confirmation, and verifies the state that comes back.',
    async run(_input, call) {
      const content = acceptedContent(call.inputResponses, 'confirm');
      if (content && call.requestState === name) return 'Confirmed: state-ok';
      return inputRequired({
        inputRequests: { confirm: inputRequired.elicit(CONFIRMATION_FORM) },
        requestState: await states.mint(name, call),
      });
    },
  });
}

/** The text in one field of a form, if the user has filled it in. */
function acceptedText(call: Call, key: string, field: string): string | undefined {
  const value = acceptedContent(call.inputResponses, key)?.[field];
  return typeof value === 'string' ? value : undefined;
}

/** A form with one field. */
function form(message: string, field: string, type: string): ElicitFormParams {
  const properties = { [field]: { type } };
  return { message, requestedSchema: { type: 'object', properties, required: [field] } };
}

function sampling(text: string, maxTokens: number): SampleParams {
  return { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens };
}

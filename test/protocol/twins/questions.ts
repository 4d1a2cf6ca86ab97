import type {
  ElicitUrlParams,
  InputRequest,
  InputRequiredResult,
  SampleParams,
} from '@inpage-mcp/protocol';
import type { Args, TwinTool } from './twin.js';

/** What both servers ask their clients, and the tools that do. */

/** Asks for a name. */
export const NAME_FORM: InputRequest = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'What is your name?',
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    },
  },
};
const ADDRESS: ElicitUrlParams = {
  mode: 'url',
  message: 'Please log in.',
  url: 'https://example.com/login',
};
const SAMPLE: SampleParams = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital?' } }],
  maxTokens: 10,
};
const QUESTION: InputRequest = { method: 'sampling/createMessage', params: SAMPLE };
const QUESTION_WITH_TOOLS: InputRequest = {
  method: 'sampling/createMessage',
  params: { ...SAMPLE, tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
};
const ROOTS: InputRequest = { method: 'roots/list' };

/** Thrown by a tool for which the user has to open an address: each server has its own error. */
export class AddressNeeded extends Error {
  readonly elicitation = { ...ADDRESS, elicitationId: 'login' };
}

/** As JSON, with keys in one order. */
export function inJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

const NO_INPUT = { type: 'object', properties: {} } as const;
const resultType = 'input_required';

/** A tool that asks, until there is an answer to each question; it says which they were. */
function asking(
  name: string,
  inputRequests: NonNullable<InputRequiredResult['inputRequests']>,
  requestState?: string,
): TwinTool {
  return {
    name,
    input: NO_INPUT,
    run(_args, { inputResponses = {}, requestState: state }) {
      const isAnswered = Object.keys(inputRequests).every((key) => inputResponses[key]);
      if (isAnswered) {
        return { content: [{ type: 'text', text: inJson([inputResponses, state ?? null]) }] };
      }
      const sent = { resultType, inputRequests: { ...inputRequests } } as const;
      return requestState === undefined ? sent : { ...sent, requestState };
    },
  };
}

/** The tools of both servers that ask. */
export const ASKING_TOOLS: readonly TwinTool[] = [
  asking('asks_name', { name: NAME_FORM }),
  asking('asks_with_state', { name: NAME_FORM }, 'sealed:state'),
  asking('asks_with_wrong_state', { name: NAME_FORM }, 'unsealed'),
  asking('asks_address', { address: { method: 'elicitation/create', params: ADDRESS } }),
  asking('asks_model', { capital: QUESTION }),
  asking('asks_model_with_tools', { capital: QUESTION_WITH_TOOLS }),
  asking('asks_roots', { roots: ROOTS }),
  asking('asks_all', { name: NAME_FORM, capital: QUESTION, roots: ROOTS }),
  { name: 'asks_nothing', input: NO_INPUT, run: () => ({ resultType }) },
  {
    name: 'two_rounds',
    // The first answer travels in the state.
    input: NO_INPUT,
    run(_args, { inputResponses, requestState }) {
      if (inputResponses?.['second']) {
        return { content: [{ type: 'text', text: `done, ${String(requestState)}` }] };
      }
      const answer = inputResponses?.['first'] as { content?: Args } | undefined;
      if (!answer) return { resultType, inputRequests: { first: NAME_FORM } };
      const state = `sealed:${inJson(answer.content)}`;
      return { resultType, inputRequests: { second: NAME_FORM }, requestState: state };
    },
  },
  {
    name: 'needs_address',
    input: NO_INPUT,
    run() {
      throw new AddressNeeded();
    },
  },
];

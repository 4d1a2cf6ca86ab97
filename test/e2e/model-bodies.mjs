// The answers of the wires as one body of JSON, for a request that does not ask for a stream.
import { randomUUID } from 'node:crypto';
import { TOKENS } from './model-server.mjs';

/** @typedef {import('./model-server.mjs').Answer} Answer */

const CALL_ID = 'call_1';

/** LangChain takes a message with the id of one before for that one. @param {string} kind */
const newId = (kind) => `${kind}_${randomUUID()}`;

const NO_TOKENS_OF_A_KIND = { cached_tokens: 0, reasoning_tokens: 0 };

/**
 * @param {string} url of the request
 * @param {Answer} answer
 */
export function bodyOf(url, answer) {
  const { pathname } = new URL(url, 'http://localhost');
  if (pathname.endsWith('/messages')) return anthropicMessage(answer);
  if (pathname.endsWith('/responses')) return openAiResponse(answer);
  if (pathname.endsWith(':generateContent')) return googleContent(answer);
  return openAiCompletion(answer);
}

/** Messages API of Anthropic. @param {Answer} answer */
function anthropicMessage({ says = [], calls }) {
  return {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: 'test',
    content: [
      ...says.map((text) => ({ type: 'text', text })),
      ...(calls ? [{ type: 'tool_use', id: CALL_ID, name: calls.name, input: calls.args }] : []),
    ],
    stop_reason: calls ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: TOKENS.input, output_tokens: TOKENS.output },
  };
}

/** Responses API of OpenAI. @param {Answer} answer */
function openAiResponse({ says = [], calls }) {
  const message = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: says.join(''), annotations: [] }],
  };
  return {
    id: newId('resp'),
    object: 'response',
    created_at: 1,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'test',
    output: [
      ...(says.length > 0 ? [message] : []),
      ...(calls
        ? [{ id: newId('fc'), type: 'function_call', status: 'completed', ...called(calls) }]
        : []),
    ],
    usage: {
      input_tokens: TOKENS.input,
      input_tokens_details: NO_TOKENS_OF_A_KIND,
      output_tokens: TOKENS.output,
      output_tokens_details: NO_TOKENS_OF_A_KIND,
      total_tokens: TOKENS.input + TOKENS.output,
    },
  };
}

/** @param {{ name: string, args: object }} calls */
function called({ name, args }) {
  return { call_id: CALL_ID, name, arguments: JSON.stringify(args) };
}

/** Chat Completions API of OpenAI. @param {Answer} answer */
function openAiCompletion({ says = [], calls }) {
  const call = calls && {
    id: CALL_ID,
    type: 'function',
    function: { name: calls.name, arguments: JSON.stringify(calls.args) },
  };
  const message = {
    role: 'assistant',
    content: says.join('') || null,
    refusal: null,
    ...(call && { tool_calls: [call] }),
  };
  return {
    id: newId('chatcmpl'),
    object: 'chat.completion',
    created: 1,
    model: 'test',
    choices: [{ index: 0, message, logprobs: null, finish_reason: calls ? 'tool_calls' : 'stop' }],
    usage: {
      prompt_tokens: TOKENS.input,
      completion_tokens: TOKENS.output,
      total_tokens: TOKENS.input + TOKENS.output,
    },
  };
}

/** Gemini API of Google. @param {Answer} answer */
function googleContent({ says = [], calls }) {
  const parts = [
    ...says.map((text) => ({ text })),
    ...(calls ? [{ functionCall: { name: calls.name, args: calls.args } }] : []),
  ];
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: TOKENS.input,
      candidatesTokenCount: TOKENS.output,
      totalTokenCount: TOKENS.input + TOKENS.output,
    },
    modelVersion: 'test',
    responseId: newId('response'),
  };
}

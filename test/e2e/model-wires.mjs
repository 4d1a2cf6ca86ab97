// The events of the two wires, as their servers stream them.
import { TOKENS } from './model-server.mjs';

/** @typedef {import('./model-server.mjs').Answer} Answer */

const CALL_ID = 'call_1';

/** Arguments come in pieces, too. @param {object} args */
function piecesOf(args) {
  const text = JSON.stringify(args);
  return [text.slice(0, 5), text.slice(5)];
}

/** @param {Answer} answer */
export function* openAiEvents({ says = [], calls, end, error }) {
  const event = (/** @type {object} */ data) => `data: ${JSON.stringify(data)}\n\n`;
  const chunk = (/** @type {object} */ delta, /** @type {string | null} */ reason = null) =>
    event({
      id: 'chunk',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'test',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  for (const content of says) yield chunk({ role: 'assistant', content });
  if (calls) {
    const [first, ...rest] = piecesOf(calls.args);
    const call = (/** @type {object} */ fields) => chunk({ tool_calls: [{ index: 0, ...fields }] });
    const { name } = calls;
    yield call({ id: CALL_ID, type: 'function', function: { name, arguments: first } });
    for (const piece of rest) yield call({ function: { arguments: piece } });
  }
  if (error !== undefined) yield event({ error: { message: error } });
  if (end !== undefined || error !== undefined) return;
  yield chunk({}, calls ? 'tool_calls' : 'stop');
  const usage = { prompt_tokens: TOKENS.input, completion_tokens: TOKENS.output };
  yield event({
    id: 'chunk',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'test',
    choices: [],
    usage,
  });
  yield 'data: [DONE]\n\n';
}

/** @param {Answer} answer */
export function* anthropicEvents({ says = [], calls, end, error }) {
  const event = (/** @type {string} */ type, /** @type {object} */ fields) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: TOKENS.input, output_tokens: 1 },
  };
  yield event('message_start', { message });
  let index = 0;
  if (says.length > 0) {
    yield event('content_block_start', { index, content_block: { type: 'text', text: '' } });
    for (const text of says)
      yield event('content_block_delta', { index, delta: { type: 'text_delta', text } });
    if (end === undefined) yield event('content_block_stop', { index });
    index += 1;
  }
  if (calls) {
    const block = { type: 'tool_use', id: CALL_ID, name: calls.name, input: {} };
    yield event('content_block_start', { index, content_block: block });
    for (const partial_json of piecesOf(calls.args))
      yield event('content_block_delta', {
        index,
        delta: { type: 'input_json_delta', partial_json },
      });
    yield event('content_block_stop', { index });
  }
  if (error !== undefined)
    yield event('error', { error: { type: 'overloaded_error', message: error } });
  if (end !== undefined || error !== undefined) return;
  yield event('message_delta', {
    delta: { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { output_tokens: TOKENS.output },
  });
  yield event('message_stop', {});
}

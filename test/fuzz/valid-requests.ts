import type { JsonRpcError, JsonRpcResult } from '@inpage-mcp/transport';
import { PROTOTYPE_KEYS } from './odd-strings.js';
import type { Random } from './random.js';
import { isModern, modernMeta, type Speech } from './speech.js';

type Params = { [key: string]: unknown };

export type Answer = JsonRpcResult | JsonRpcError;

/** A request that the server has to answer in one way only. */
export interface ValidRequest {
  method: string;
  params: Params;
  /** Whether this is that answer. */
  isRight(answer: Answer): boolean;
}

/** What is in the database while the messages come. */
export interface Stored {
  noteId: string;
  noteText: string;
  filePath: string;
}

type Era = 'modern' | 'legacy' | 'both';

interface Template {
  weight: number;
  era: Era;
  make(random: Random, stored: Stored): ValidRequest;
}

const INVALID_PARAMS = -32602;
const NOT_FOUND = -32601;

/** Each kind of request that a revision has, and its answer. */
const TEMPLATES: readonly Template[] = [
  one('resources/list', {}, hasArray('resources')),
  one('resources/list', { cursor: 'no cursor of ours' }, isError(INVALID_PARAMS)),
  one('resources/templates/list', {}, hasArray('resourceTemplates'), 3),
  one('tools/list', {}, hasArray('tools')),
  one('prompts/list', {}, hasArray('prompts')),
  {
    weight: 6,
    era: 'both',
    make: (_, { noteId, noteText }) => ({
      method: 'resources/read',
      params: { uri: `note:///${noteId}` },
      isRight: (answer) => textOf(answer) === noteText,
    }),
  },
  {
    weight: 3,
    era: 'both',
    make: (_, { filePath }) => ({
      method: 'resources/read',
      params: { uri: `file:///${filePath}` },
      isRight: (answer) => textOf(answer) === filePath,
    }),
  },
  one('resources/read', { uri: 'inpage:///storage' }, hasArray('contents')),
  one('resources/read', { uri: 'note:///none' }, isError(-32602), 2, 'modern'),
  one('resources/read', { uri: 'note:///none' }, isError(-32002), 2, 'legacy'),
  one('resources/read', {}, isError(INVALID_PARAMS)),
  one('tools/call', { name: 'search_notes', arguments: { query: 'calm' } }, isToolResult(false)),
  one('tools/call', { name: 'create_note', arguments: { title: 5 } }, isToolResult(true)),
  {
    weight: 0.5,
    era: 'both',
    make: (random) => ({
      method: 'tools/call',
      params: { name: 'create_note', arguments: { title: `${random.below(99)}`, text: 'fuzz' } },
      isRight: isToolResult(false),
    }),
  },
  {
    weight: 2,
    era: 'both',
    make: (random) => ({
      method: random.pick(['tools/call', 'prompts/get']),
      params: { name: random.pick(PROTOTYPE_KEYS), arguments: {} },
      isRight: isError(INVALID_PARAMS),
    }),
  },
  {
    weight: 1,
    era: 'both',
    make: (_, { noteId }) => ({
      method: 'prompts/get',
      params: { name: 'summarize_note', arguments: { note: noteId } },
      isRight: hasArray('messages'),
    }),
  },
  one(
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'summarize_note' }, argument: { name: 'note', value: 'c' } },
    (answer) => 'result' in answer && 'completion' in answer.result,
  ),
  {
    weight: 2,
    era: 'both',
    make: (random) => ({
      method: random.pick(['nothing/such', '', '__proto__', 'constructor', 'toString']),
      params: {},
      isRight: isError(NOT_FOUND),
    }),
  },
  one('server/discover', {}, hasArray('supportedVersions'), 1, 'modern'),
  one('ping', {}, isEmpty, 2, 'legacy'),
  one('logging/setLevel', { level: 'error' }, isEmpty, 1, 'legacy'),
  one('resources/subscribe', { uri: 'inpage:///storage' }, isEmpty, 1, 'legacy'),
  one('resources/unsubscribe', { uri: 'inpage:///storage' }, isEmpty, 1, 'legacy'),
];

const MODERN = TEMPLATES.filter(({ era }) => era !== 'legacy');
const LEGACY = TEMPLATES.filter(({ era }) => era !== 'modern');

export function validRequest(random: Random, speech: Speech, stored: Stored): ValidRequest {
  const request = random.pickWeighted(isModern(speech) ? MODERN : LEGACY).make(random, stored);
  if (!isModern(speech)) return request;
  return { ...request, params: { ...request.params, _meta: modernMeta() } };
}

function one(
  method: string,
  params: Params,
  isRight: (answer: Answer) => boolean,
  weight = 1,
  era: Era = 'both',
): Template {
  // A copy each time: others change it.
  return { weight, era, make: () => ({ method, params: structuredClone(params), isRight }) };
}

function isError(code: number): (answer: Answer) => boolean {
  return (answer) => 'error' in answer && answer.error.code === code;
}

function hasArray(key: string): (answer: Answer) => boolean {
  return (answer) => 'result' in answer && Array.isArray(answer.result[key]);
}

function isToolResult(isFailure: boolean): (answer: Answer) => boolean {
  return (answer) => 'result' in answer && (answer.result['isError'] === true) === isFailure;
}

/** Apart from what the protocol itself adds. */
function isEmpty(answer: Answer): boolean {
  return 'result' in answer && Object.keys(answer.result).every((key) => key === '_meta');
}

function textOf(answer: Answer): unknown {
  if (!('result' in answer)) return undefined;
  const [content] = (answer.result['contents'] ?? []) as { text?: unknown }[];
  return content?.text;
}

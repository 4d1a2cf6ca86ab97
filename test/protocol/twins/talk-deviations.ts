import { isModern } from '../../support/revisions.js';
import { refusal, withAnswers, withCode, type Deviation } from './deviation.js';
import { isObject, type Outline } from './outline.js';
import { INFO } from './twin.js';

const INVALID_REQUEST = 'JSON-RPC 2.0 › 5.1 Error object: what is no request is −32600';
const NO_URLS = '2025-11-25 Key Changes › URL mode elicitation; before';
const STOPS = 'Utilities › Progress: notifications of it MUST stop after completion';

/** What the SDK does otherwise than the specification has it, by the names of talks. */
export const TALK_DEVIATIONS: readonly Deviation<string>[] = [
  {
    section: 'JSON-RPC 2.0 › 5.1 Error object: invalid params are −32602',
    sdk: 'answers params that do not fit with −32603',
    concerns: named(
      'initialize without params',
      'initialize with wrong params',
      'log messages by the level of the connection',
    ),
    instead: withCode(-32603, -32602),
  },
  {
    section:
      '2026-07-28 Base Protocol › _meta (−32602 for a request without it), Schema › ' +
      'UnsupportedProtocolVersionError (data.requested)',
    sdk: 'answers an unknown method with −32601, and an empty initialize without what it requested',
    concerns: named('modern requests, then legacy ones'),
    instead: withAnswers({
      3: { error: { code: -32602 } },
      6: { error: { code: -32022, data: { supported: ['2026-07-28'], requested: 'unknown' } } },
    }),
  },
  {
    section: '2026-07-28 Versioning › Compatibility Matrix: initialize selects the legacy era',
    sdk: 'takes any notification for the beginning of the legacy era',
    concerns: named('notifications first, then the modern era'),
    instead: ([called]) => [
      { id: 1, result: { ...called?.result, ...COMPLETE } },
      { id: 2, result: DISCOVERED },
    ],
  },
  {
    section: 'JSON-RPC 2.0 › 5 Response object: an id that cannot be read is left out',
    sdk: 'does not answer a request whose id is none',
    concerns: named('ids that are none'),
    instead: () => Array.from({ length: 7 }, () => invalidRequest()),
  },
  {
    section: INVALID_REQUEST,
    sdk: 'does not answer what is no message',
    concerns: named('envelopes that are none'),
    instead: () => [
      ...Array.from({ length: 5 }, () => invalidRequest()),
      ...[1, 2, 3, 4, 5, 6, 7].map(invalidRequest),
    ],
  },
  {
    section: INVALID_REQUEST,
    sdk: 'does not answer a request with a member that JSON-RPC does not know',
    concerns: named('a member that JSON-RPC does not know'),
    instead: () => [invalidRequest(1)],
  },
  {
    section: INVALID_REQUEST,
    sdk: 'does not answer a batch, where there are none',
    concerns: (name, revision) => name === 'a batch' && revision !== '2025-03-26',
    instead: () => [invalidRequest()],
  },
  {
    section: '2025-03-26 Base Protocol › Batching: batches MUST be taken',
    sdk: 'does not answer a batch',
    concerns: (name, revision) => name === 'a batch' && revision === '2025-03-26',
    instead: () => [
      {
        answers: [
          { id: 1, result: {} },
          { id: 'two', error: { code: -32601 } },
        ],
      },
    ],
  },
  {
    section: 'Base Protocol › Requests: an id MUST NOT be that of a request without an answer',
    sdk: 'takes two requests with one id, and answers both',
    concerns: named('an id that is in use'),
    instead: (sdk) => sdk.map((one) => (one.id === 7 ? invalidRequest() : one)),
  },
  {
    section: 'Base Protocol › Requests: an id MUST NOT be that of a request without an answer',
    sdk: 'puts a stream in the place of one with the same id, and acknowledges it again',
    concerns: named('a stream that is opened with an id in use'),
    instead: ([first]) => [first!, invalidRequest()],
  },
  {
    section: `2026-07-28 Transports › stdio › Cancellation: nothing MUST be sent for it; ${STOPS}`,
    sdk: 'lets a call that is cancelled send all but its answer',
    concerns: named('cancelling what is under way', 'cancelling what is under way, quietly'),
    instead: (sdk) => sdk.filter((one) => !isLate(one)),
  },
  {
    section: `${STOPS}; 2026-07-28 Server › Utilities › Logging: before the final response`,
    sdk: 'lets a call that is answered go on sending',
    concerns: named('progress and a log after the answer'),
    instead: (sdk) => sdk.filter((one) => !isLate(one)),
  },
  {
    section: '2026-07-28 Patterns › Multi Round-Trip Requests › Error Handling',
    sdk: 'drops answers that are none, and asks again',
    concerns: named('answers of wrong types'),
    instead: refusal(-32602),
  },
  {
    section: '2025-11-25 and before, Schema › CallToolRequest: there is no requestState',
    sdk: 'verifies a state that the legacy era does not know',
    concerns: named('a state of the modern era in the legacy one'),
    instead: withAnswers({ 1: { result: { content: [] } } }),
  },
  {
    section:
      '2025-11-25 Utilities › Tasks: a server without the capability MUST process the request ' +
      'normally; before, there are none',
    sdk: 'refuses a call with a task that does not fit',
    concerns: (name, revision) =>
      name === 'a call as a task, which the server has not' && !isModern(revision),
    instead: withAnswers({ 3: { result: { content: [] } } }),
  },
  {
    section: '2025-03-26 and before, Schema › ServerRequest: there is no elicitation/create',
    sdk: 'asks a client whose revision has no elicitation',
    concerns: named('a client that declares elicitation before there is any'),
    instead: () => [{ id: 1, result: { isError: true, content: [{ type: 'text' }] } }],
  },
  {
    section: `${NO_URLS}: elicitation has no modes`,
    sdk: 'asks a client to open an address, although its revision has only forms',
    concerns: (name, revision) =>
      name === 'an address, the model and the roots during the call' && revision < '2025-11-25',
    instead: ([_asked, _answer, ...others]) => [
      { id: 1, result: { isError: true, content: [{ type: 'text' }] } },
      ...others,
    ],
  },
  {
    section: `${NO_URLS}: there is no −32042`,
    sdk: 'answers with an error that the revision of the client does not have',
    concerns: (name, revision) =>
      name === 'an address that has to be opened first' && revision < '2025-11-25',
    instead: refusal(-32603),
  },
];

const COMPLETE = {
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
};

const DISCOVERED = {
  ...COMPLETE,
  supportedVersions: ['2026-07-28'],
  instructions: 'It has a twin.',
  capabilities: {
    completions: {},
    logging: {},
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    tools: { listChanged: true },
  },
  ttlMs: 'valid',
  cacheScope: 'valid',
};

function named(...names: string[]): (name: string) => boolean {
  return (name) => names.includes(name);
}

function invalidRequest(id?: number): Outline {
  return { ...(id !== undefined && { id }), error: { code: -32600 } };
}

/** Whether it is what the tools send too late. */
function isLate({ params }: Outline): boolean {
  return isObject(params) && (params['progress'] === 2 || params['data'] === 'too late');
}

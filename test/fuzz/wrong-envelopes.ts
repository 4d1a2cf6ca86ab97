import type { RequestId } from '@inpage-mcp/transport';
import { hostileValue, setOwn } from './hostile-values.js';
import { oddString } from './odd-strings.js';
import type { Random } from './random.js';
import { modernMeta } from './speech.js';

/** What a wrong envelope is made from. */
export interface EnvelopeParts {
  random: Random;
  /** One that no other case has. */
  id: RequestId;
  /** What was asked before and may not be answered yet. */
  recentIds: readonly RequestId[];
  /** Gets the kind of each hostile value. */
  used: string[];
}

/** One more than an id may have. */
const TOO_LONG = 'x'.repeat(1_025);

/** Everything that JSON-RPC and MCP forbid in an envelope, and what nobody asked for. */
export const WRONG_ENVELOPES: { [kind: string]: (parts: EnvelopeParts) => unknown } = {
  'no jsonrpc': ({ id, random }) => ({ id, method: method(random), params: params() }),
  'wrong jsonrpc': (parts) => ({
    ...request(parts),
    jsonrpc: parts.random.chance(0.5)
      ? parts.random.pick<unknown>(['1.0', '2', 2, '2.0 ', null, ['2.0']])
      : hostile(parts),
  }),
  'wrong id': (parts) => ({
    ...request(parts),
    id: parts.random.chance(0.6)
      ? parts.random.pick<unknown>([
          null,
          {},
          [],
          NaN,
          1.5,
          Infinity,
          true,
          2 ** 53,
          ['a'],
          TOO_LONG,
        ])
      : hostile(parts),
  }),
  'wrong method': (parts) => ({
    ...request(parts),
    method: parts.random.chance(0.6)
      ? parts.random.pick<unknown>([1, null, {}, [], undefined, ['ping'], true])
      : hostile(parts),
  }),
  'wrong params': (parts) => ({
    ...request(parts),
    params: parts.random.chance(0.4)
      ? parts.random.pick<unknown>([[], ['a'], 'a', null, 1, false])
      : hostile(parts),
  }),
  'method and result': (parts) => ({
    ...request(parts),
    [parts.random.pick(['result', 'error'])]: hostile(parts),
  }),
  'result and error': ({ id }) => ({
    jsonrpc: '2.0',
    id,
    result: {},
    error: { code: 1, message: 'both' },
  }),
  'no member': ({ id, random }) =>
    random.pick<unknown>([{}, { jsonrpc: '2.0' }, { jsonrpc: '2.0', id }, { id }]),
  'extra member': (parts) => {
    const message = request(parts);
    const key = parts.random.pick(['__proto__', 'constructor', 'extra', 'toJSON', 'then', '']);
    setOwn(message, key, hostile(parts));
    return message;
  },
  'inherited members': (parts) => {
    const message = {};
    setOwn(message, '__proto__', request(parts));
    return message;
  },
  'answer that nobody asked for': (parts) => {
    const { random, id, recentIds } = parts;
    const answered = random.chance(0.5) && recentIds.length > 0 ? random.pick(recentIds) : id;
    return random.chance(0.5)
      ? { jsonrpc: '2.0', id: answered, result: { contents: [] } }
      : { jsonrpc: '2.0', id: answered, error: { code: -32603, message: 'no' } };
  },
  'malformed answer': (parts) => {
    const member = parts.random.pick(['result', 'error']);
    return {
      jsonrpc: '2.0',
      id: parts.random.pick<unknown>([parts.id, null]),
      [member]: hostile(parts),
    };
  },
  'unknown notification': (parts) => ({
    jsonrpc: '2.0',
    method: parts.random.pick(['notifications/nothing', '__proto__', '', 'resources/list']),
    params: parts.random.chance(0.5) ? {} : hostile(parts),
  }),
  'malformed notification': (parts) => ({
    jsonrpc: '2.0',
    method: parts.random.pick([
      'notifications/cancelled',
      'notifications/progress',
      'notifications/initialized',
      'notifications/roots/list_changed',
      'notifications/subscriptions/acknowledged',
    ]),
    params: parts.random.chance(0.5)
      ? { requestId: hostile(parts), progressToken: hostile(parts), progress: hostile(parts) }
      : hostile(parts),
  }),
  'cancellation of the unknown': ({ id }) => cancellation(id),
  'cancellation of the recent': ({ id, random, recentIds }) =>
    cancellation(recentIds.length > 0 ? random.pick(recentIds) : id),
  'id in use': ({ id, random, recentIds }) => ({
    jsonrpc: '2.0',
    id: recentIds.length > 0 ? random.pick(recentIds) : id,
    method: method(random),
    params: params(),
  }),
  'no object': (parts) => {
    const { random } = parts;
    if (random.chance(0.3)) return JSON.stringify(request(parts));
    const value = random.chance(0.3) ? oddString(random) : hostile(parts);
    // That would be the end of the stream.
    return value === null ? undefined : value;
  },
  'platform object with members': (parts) => {
    const carrier = parts.random.pick<() => object>([
      () => new Map(),
      () => new Error('carrier'),
      () => [],
      () => new Date(0),
    ])();
    for (const [key, value] of Object.entries(request(parts))) setOwn(carrier, key, value);
    return carrier;
  },
};

function request({ id, random }: EnvelopeParts): object {
  return { jsonrpc: '2.0', id, method: method(random), params: params() };
}

/** Methods that change nothing, whichever revision the connection speaks. */
function method(random: Random): string {
  return random.pick(['resources/list', 'resources/templates/list', 'ping', 'nothing/such']);
}

function params(): object {
  return { _meta: modernMeta() };
}

function cancellation(requestId: RequestId): object {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

function hostile({ random, used }: EnvelopeParts): unknown {
  const { kind, value } = hostileValue(random);
  used.push(kind);
  return value;
}

import type { RequestId } from '@inpage-mcp/transport';
import { hostileValue, hugeString } from './hostile-values.js';
import { mutate } from './mutations.js';
import type { Random } from './random.js';
import { requestId } from './request-ids.js';
import { hasBatches, isModern, modernMeta, type Speech } from './speech.js';
import { validRequest, type Stored, type ValidRequest } from './valid-requests.js';
import { WRONG_ENVELOPES } from './wrong-envelopes.js';

/** One message of a run. */
export interface Case {
  /** What it is called in the table of the run. */
  kind: string;
  /** The kinds of the hostile values in it. */
  values: string[];
  message: unknown;
  transfer?: Transferable[];
  /** What a request has to be answered, where only one answer is right. */
  right?: { id: RequestId; isRight: ValidRequest['isRight']; method: string };
}

/** What a case is made for. */
export interface CaseContext {
  speech: Speech;
  stored: Stored;
  /** The ids of the requests before it, on the same connection, that may be under way. */
  recentIds: readonly RequestId[];
}

/** One in so many hostile messages has a string of 64 MB. */
const HUGE_EVERY = 20_000;

/** So many numbers belong to each index, for the ids of what is sent with it. */
const IDS_PER_INDEX = 100;

const ENVELOPES = Object.entries(WRONG_ENVELOPES);

/** The hostile message of an index: the same for the same seed and the same context. */
export function hostileCase(random: Random, index: number, context: CaseContext): Case {
  if (index % HUGE_EVERY === HUGE_EVERY - 1) return hugeCase(random, index, context);
  if (hasBatches(context.speech) && random.chance(0.2)) return batch(random, index, context);
  if (random.chance(0.01)) return transferring(random, index, context);
  return random.chance(0.6)
    ? wrongEnvelope(random, firstId(index), context)
    : mutated(random, index, context);
}

/** A valid request that is sent along with the hostile message of an index. */
export function validCase(random: Random, index: number, context: CaseContext): Case {
  const { method, params, isRight } = validRequest(random, context.speech, context.stored);
  const isFree = (id: RequestId): boolean => !context.recentIds.includes(id);
  const id = requestId(random, firstId(index) + 1, isFree);
  const message = { jsonrpc: '2.0', id, method, params };
  return { kind: 'valid request', values: [], message, right: { id, isRight, method } };
}

const firstId = (index: number): number => (index + 1) * IDS_PER_INDEX;

function wrongEnvelope(random: Random, id: RequestId, { recentIds }: CaseContext): Case {
  const [kind, make] = random.pick(ENVELOPES);
  const values: string[] = [];
  return { kind, values, message: make({ random, id, recentIds, used: values }) };
}

function mutated(random: Random, index: number, { speech, stored }: CaseContext): Case {
  const { method, params } = validRequest(random, speech, stored);
  const message = { jsonrpc: '2.0', id: firstId(index), method, params };
  if (random.chance(0.15)) Object.assign(message, rareRequest(random, speech));
  return { kind: 'mutated request', values: mutate(random, message), message };
}

/** Requests that no single answer is right for, so that they are sent in pieces only. */
function rareRequest(random: Random, speech: Speech): object {
  const _meta = isModern(speech) ? modernMeta() : undefined;
  const uri = random.pick(['note:///', 'inpage:///storage', 'file:///x', '__proto__']);
  return random.pick<object>([
    {
      method: 'subscriptions/listen',
      params: {
        notifications: { resourceSubscriptions: [uri], resourcesListChanged: true },
        _meta,
      },
    },
    { method: 'resources/subscribe', params: { uri, _meta } },
    {
      method: 'tools/call',
      params: {
        name: 'update_note',
        arguments: { id: 'none', title: 'fuzz', expectedRevision: 1, idempotencyKey: 'fuzz' },
        inputResponses: { question: { action: 'accept', content: {} } },
        requestState: 'fuzz',
        _meta,
      },
    },
    { method: 'tools/call', params: { name: 'list_resources', arguments: { cursor: '' }, _meta } },
    {
      method: 'tools/call',
      params: { name: 'move_file', arguments: { from: 'x', to: 'y' }, _meta },
    },
    {
      method: 'prompts/get',
      params: { name: 'answer_from_notes', arguments: { question: 'calm' }, _meta },
    },
  ]);
}

/** Valid and wrong messages, as an array: what one revision calls a batch. */
function batch(random: Random, index: number, context: CaseContext): Case {
  const values: string[] = [];
  const count = random.pick([0, 1, 2, 5, 20]);
  const message = Array.from({ length: count }, (_, position) => {
    const id = firstId(index) + 2 + position;
    const part = random.chance(0.5)
      ? wrongEnvelope(random, id, context)
      : { values: [], message: { jsonrpc: '2.0', id, ...withoutAnswer(random, context) } };
    values.push(...part.values);
    return part.message;
  });
  return { kind: 'batch', values, message };
}

function withoutAnswer(random: Random, { speech, stored }: CaseContext): object {
  const { method, params } = validRequest(random, speech, stored);
  return { method, params };
}

/** Things that are handed over together with a message, rather than copied. */
function transferring(random: Random, index: number, context: CaseContext): Case {
  const handed = random.pick<() => Transferable>([
    () => new ArrayBuffer(1_000),
    () => new MessageChannel().port1,
    () => new ReadableStream(),
    () => new TransformStream(),
  ])();
  const { method, params } = validRequest(random, context.speech, context.stored);
  const isNamed = random.chance(0.5);
  const message = {
    jsonrpc: '2.0',
    id: firstId(index),
    method,
    params: isNamed ? { ...params, handed } : params,
  };
  return { kind: 'transfer', values: [], message, transfer: [handed] };
}

function hugeCase(random: Random, index: number, context: CaseContext): Case {
  const { kind, value } = hugeString();
  const { method, params } = validRequest(random, context.speech, context.stored);
  const message = { jsonrpc: '2.0', id: firstId(index), method, params } as {
    [key: string]: unknown;
  };
  const place = random.pick(['jsonrpc', 'id', 'method', 'params', 'extra', 'inside']);
  if (place === 'inside') message['params'] = { ...params, uri: value, name: value };
  else message[place] = value;
  return { kind: 'mutated request', values: [kind], message };
}

/** What may be said first on a connection, and is wrong. */
export function firstWords(random: Random, index: number, context: CaseContext): Case[] {
  return Array.from({ length: 1 + random.below(4) }, (_, position) => {
    const id = firstId(index) + 50 + position;
    if (random.chance(0.7)) return wrongEnvelope(random, id, context);
    const { kind, value } = hostileValue(random);
    return { kind: 'no object', values: [kind], message: value ?? undefined };
  });
}

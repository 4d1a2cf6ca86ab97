import { isJsonRpcMessage, type JsonRpcRequest, type RequestId } from '@inpage-mcp/transport';
import { isWithinBudget } from './message-budget.js';

/** What the server owes for a message. */
export interface Demand {
  /** Requests, each of which is answered once. */
  ids: RequestId[];
  /** Streams among them, which may be acknowledged rather than answered. */
  streams: RequestId[];
  /** How many errors without an id. */
  anonymous: number;
  /** Requests that it takes back: they need not be answered any more. */
  cancelled: RequestId[];
}

const MAX_BATCH = 1_000;
const MAX_DEPTH = 64;
const MAX_ID_LENGTH = 1_024;

/**
 * What docs/wire.md and docs/limits.md promise for a message, as it is before it is cloned.
 *
 * @param takesBatches Whether an array is a batch.
 */
export function demandOf(message: unknown, takesBatches: boolean): Demand {
  if (Array.isArray(message) && takesBatches && isWithinBudget(message, MAX_DEPTH + 1)) {
    return batchDemand(message);
  }
  const id = requestIdOf(message);
  if (id !== undefined) return requestDemand(id, message);
  if (!isWithinBudget(message)) return anonymous();
  if (isJsonRpcMessage(message)) return messageDemand(message);
  return isLikeAnswer(message) ? nothing() : anonymous();
}

function batchDemand(batch: readonly unknown[]): Demand {
  if (batch.length === 0 || batch.length > MAX_BATCH) return anonymous();
  const demands = batch.map((part) => {
    const id = requestIdOf(part);
    if (id !== undefined) return requestDemand(id, part);
    return isJsonRpcMessage(part) ? messageDemand(part) : anonymous();
  });
  return {
    ids: demands.flatMap(({ ids }) => ids),
    streams: demands.flatMap(({ streams }) => streams),
    anonymous: demands.reduce((sum, demand) => sum + demand.anonymous, 0),
    cancelled: demands.flatMap(({ cancelled }) => cancelled),
  };
}

function requestIdOf(value: unknown): RequestId | undefined {
  if (!hasMember(value, 'method') || !hasMember(value, 'id')) return undefined;
  const { id } = value as { id: unknown };
  const isId = typeof id === 'string' ? id.length <= MAX_ID_LENGTH : Number.isSafeInteger(id);
  return isId ? (id as RequestId) : undefined;
}

function isLikeAnswer(value: unknown): boolean {
  if (hasMember(value, 'method')) return false;
  return hasMember(value, 'result') || hasMember(value, 'error');
}

/** Whether it still has a member of its own when it arrives: only arrays and plain objects keep them. */
function hasMember(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** A notification, an answer, or a request whose id is longer than any that is repeated. */
function messageDemand(message: object): Demand {
  const { id: long, method, params } = message as Partial<JsonRpcRequest>;
  if (method !== undefined && long !== undefined) return anonymous();
  const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
  return { ...nothing(), cancelled: id === undefined ? [] : [id as RequestId] };
}

function requestDemand(id: RequestId, message: unknown): Demand {
  const isStream = (message as { method?: unknown }).method === 'subscriptions/listen';
  return { ...nothing(), ids: [id], streams: isStream ? [id] : [] };
}

const nothing = (): Demand => ({ ids: [], streams: [], anonymous: 0, cancelled: [] });

const anonymous = (): Demand => ({ ...nothing(), anonymous: 1 });

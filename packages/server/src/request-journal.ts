import type {
  JsonRpcError,
  JsonRpcMessage,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from '@inpage-mcp/transport';
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import { DENIED_UNDER_WAY, type ActivityEntry, type ActivityLog } from './activity-log.js';

type Ending = Pick<ActivityEntry, 'outcome' | 'code'>;

interface OpenRequest {
  entry: Omit<ActivityEntry, 'outcome' | 'durationMs'>;
  startedAt: number;
  /** Whether it asked for something outside the access of the connection. */
  isDenied?: boolean;
}

/**
 * Watches the messages of one connection go by, and writes each of its requests into the log when
 * it has ended. A subscription is written when it is acknowledged, not when it ends.
 */
export class RequestJournal {
  readonly #log: ActivityLog;
  readonly #connection: number;
  readonly #open = new Map<RequestId, OpenRequest>();

  constructor(log: ActivityLog, connection: number) {
    this.#log = log;
    this.#connection = connection;
  }

  /** A message of the client. */
  received(message: JsonRpcMessage): void {
    if (!('method' in message)) return;
    if ('id' in message && message.id !== undefined) this.#begin(message);
    else if (message.method === 'notifications/cancelled') {
      this.#end(message.params?.['requestId'] as RequestId, { outcome: 'cancelled' });
    }
  }

  /** A message to the client. */
  sent(message: JsonRpcMessage): void {
    if ('result' in message) this.#end(message.id, outcomeOf(message));
    else if ('error' in message) this.#end(message.id, errorOutcomeOf(message));
    else if (message.method === 'notifications/subscriptions/acknowledged') {
      const meta = message.params?.['_meta'] as { [key: string]: unknown } | undefined;
      this.#end(meta?.[SUBSCRIPTION_ID_META_KEY] as RequestId, { outcome: 'ok' });
    }
  }

  /** Something that the connection asked for is outside its access. */
  denied(subject: string): void {
    const asking = [...this.#open.values()].filter(
      ({ entry }) => entry.uri === subject || entry.name === subject,
    );
    for (const request of asking) request.isDenied = true;
    if (asking.length > 0) return;
    // An argument of a tool or prompt, which goes on and may still end well.
    const time = new Date().toISOString();
    const entry = { time, connection: this.#connection, method: DENIED_UNDER_WAY, uri: subject };
    this.#log.add({ ...entry, outcome: 'denied', durationMs: 0 });
  }

  /** The connection has ended: nothing of it will be answered. */
  close(): void {
    for (const id of this.#open.keys()) this.#end(id, { outcome: 'cancelled' });
  }

  #begin({ id, method, params }: JsonRpcRequest): void {
    const time = new Date().toISOString();
    const entry: OpenRequest['entry'] = { time, connection: this.#connection, method };
    // What a completion is for stands in its reference.
    const subject: { uri?: unknown; name?: unknown } | undefined = params?.['ref'] ?? params;
    if (typeof subject?.uri === 'string') entry.uri = subject.uri;
    if (typeof subject?.name === 'string') entry.name = subject.name;
    this.#open.set(id, { entry, startedAt: performance.now() });
  }

  #end(id: RequestId | undefined, ending: Ending): void {
    const request = id === undefined ? undefined : this.#open.get(id);
    if (id === undefined || !request) return;
    this.#open.delete(id);
    const durationMs = Math.round((performance.now() - request.startedAt) * 10) / 10;
    const outcome = request.isDenied ? 'denied' : ending.outcome;
    this.#log.add({ ...request.entry, ...ending, outcome, durationMs });
  }
}

function outcomeOf({ result }: JsonRpcResult): Ending {
  if (result['resultType'] === 'input_required') return { outcome: 'asked' };
  return { outcome: result['isError'] === true ? 'failed' : 'ok' };
}

function errorOutcomeOf({ error }: JsonRpcError): Ending {
  return { outcome: 'refused', code: error.code };
}

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
  /** Counts the requests of the connection. */
  number: number;
}

/** A uri or name, for as long as a request is open that is about it. */
interface Subject {
  openRequests: number;
  /** Those that came until then asked for something outside the access of the connection. */
  deniedUntil: number;
}

/**
 * Watches the messages of one connection go by, and writes each of its requests into the log when
 * it has ended. A subscription is written when it is acknowledged, not when it ends.
 */
export class RequestJournal {
  readonly #log: ActivityLog;
  readonly #connection: number;
  readonly #holder: string;
  readonly #open = new Map<RequestId, OpenRequest>();
  /** What the open requests are about: a client may have as many denied as it likes. */
  readonly #subjects = new Map<string, Subject>();
  #lastNumber = 0;

  /** @param holder Whose share of the log it writes into. */
  constructor(log: ActivityLog, connection: number, holder: string) {
    this.#log = log;
    this.#connection = connection;
    this.#holder = holder;
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
    const asked = this.#subjects.get(subject);
    if (asked) {
      asked.deniedUntil = this.#lastNumber;
      return;
    }
    // An argument of a tool or prompt, which goes on and may still end well.
    const time = new Date().toISOString();
    const entry = { time, connection: this.#connection, method: DENIED_UNDER_WAY, uri: subject };
    this.#log.add({ ...entry, outcome: 'denied', durationMs: 0 }, this.#holder);
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
    // It has been answered, whatever became of its answer.
    this.#end(id, { outcome: 'cancelled' });
    this.#lastNumber += 1;
    this.#open.set(id, { entry, startedAt: performance.now(), number: this.#lastNumber });
    for (const about of subjectsOf(entry)) this.#openSubject(about).openRequests += 1;
  }

  #openSubject(about: string): Subject {
    let subject = this.#subjects.get(about);
    if (!subject) {
      subject = { openRequests: 0, deniedUntil: 0 };
      this.#subjects.set(about, subject);
    }
    return subject;
  }

  #end(id: RequestId | undefined, ending: Ending): void {
    const request = id === undefined ? undefined : this.#open.get(id);
    if (id === undefined || !request) return;
    this.#open.delete(id);
    const durationMs = Math.round((performance.now() - request.startedAt) * 10) / 10;
    const outcome = this.#endSubjects(request) ? 'denied' : ending.outcome;
    this.#log.add({ ...request.entry, ...ending, outcome, durationMs }, this.#holder);
  }

  /** Whether something that the request was about was denied while it was open. */
  #endSubjects({ entry, number }: OpenRequest): boolean {
    let isDenied = false;
    for (const about of subjectsOf(entry)) {
      const subject = this.#openSubject(about);
      isDenied ||= number <= subject.deniedUntil;
      subject.openRequests -= 1;
      if (subject.openRequests === 0) this.#subjects.delete(about);
    }
    return isDenied;
  }
}

function subjectsOf({ uri, name }: OpenRequest['entry']): Set<string> {
  return new Set([uri, name].filter((about) => about !== undefined));
}

function outcomeOf({ result }: JsonRpcResult): Ending {
  if (result['resultType'] === 'input_required') return { outcome: 'asked' };
  return { outcome: result['isError'] === true ? 'failed' : 'ok' };
}

function errorOutcomeOf({ error }: JsonRpcError): Ending {
  return { outcome: 'refused', code: error.code };
}

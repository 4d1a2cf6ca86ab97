import type { Call, Observer } from '@inpage-mcp/protocol';
import { DENIED_DURING_CALL, type ActivityEntry, type ActivityLog } from './activity-log.js';

/** The logged parts of a request. */
type LoggedCall = Pick<Call, 'method' | 'params'>;

type Answer = Parameters<NonNullable<Observer['ended']>>[1];

type Ending = Pick<ActivityEntry, 'outcome' | 'code'>;

interface OpenRequest {
  entry: Omit<ActivityEntry, 'outcome' | 'durationMs'>;
  startedAt: number;
  /** The number of the request on the connection. */
  number: number;
}

/** A uri or name that at least one open request names. */
interface Subject {
  openRequests: number;
  /** The number up to which requests count as denied, because they asked for this outside the access. */
  deniedUntil: number;
}

/**
 * Observes the requests of one connection, and logs each request when it has ended. A subscription
 * is logged when it is acknowledged, not when it ends.
 */
export class RequestJournal implements Observer {
  readonly #log: ActivityLog;
  readonly #connection: number;
  readonly #holder: string;
  readonly #open = new Map<LoggedCall, OpenRequest>();
  /** The subjects of open requests only, because a client may cause any number of denials. */
  readonly #subjects = new Map<string, Subject>();
  #lastNumber = 0;

  /** @param holder The holder whose share of the log is used. */
  constructor(log: ActivityLog, connection: number, holder: string) {
    this.#log = log;
    this.#connection = connection;
    this.#holder = holder;
  }

  began(call: LoggedCall): void {
    const { method, params } = call;
    const time = new Date().toISOString();
    const entry: OpenRequest['entry'] = { time, connection: this.#connection, method };
    // A completion names its subject in `ref`.
    const { uri, name } = (params['ref'] ?? params) as { uri?: unknown; name?: unknown };
    if (typeof uri === 'string') entry.uri = uri;
    if (typeof name === 'string') entry.name = name;
    this.#lastNumber += 1;
    this.#open.set(call, { entry, startedAt: performance.now(), number: this.#lastNumber });
    for (const about of subjectsOf(entry)) this.#getOrAddSubject(about).openRequests += 1;
  }

  ended(call: LoggedCall, answer: Answer): void {
    const request = this.#open.get(call);
    // A stream was logged when it was opened.
    if (!request) return;
    this.#open.delete(call);
    const durationMs = Math.round((performance.now() - request.startedAt) * 10) / 10;
    const ending = endingOf(answer);
    const outcome = this.#endSubjects(request) ? 'denied' : ending.outcome;
    const written = writtenIn(request.entry, answer);
    this.#log.add({ ...request.entry, ...written, ...ending, outcome, durationMs }, this.#holder);
  }

  opened(call: LoggedCall): void {
    this.ended(call, { jsonrpc: '2.0', id: 0, result: {} });
  }

  /** Logs that the connection asked for something outside its access. */
  addDenial(subject: string): void {
    const asked = this.#subjects.get(subject);
    if (asked) {
      asked.deniedUntil = this.#lastNumber;
      return;
    }
    // An argument of a tool or prompt: the call continues and may still succeed.
    const time = new Date().toISOString();
    const entry = { time, connection: this.#connection, method: DENIED_DURING_CALL, uri: subject };
    this.#log.add({ ...entry, outcome: 'denied', durationMs: 0 }, this.#holder);
  }

  #getOrAddSubject(about: string): Subject {
    let subject = this.#subjects.get(about);
    if (!subject) {
      subject = { openRequests: 0, deniedUntil: 0 };
      this.#subjects.set(about, subject);
    }
    return subject;
  }

  /** Whether a subject of the request was denied while the request was open. */
  #endSubjects({ entry, number }: OpenRequest): boolean {
    let isDenied = false;
    for (const about of subjectsOf(entry)) {
      const subject = this.#getOrAddSubject(about);
      isDenied ||= number <= subject.deniedUntil;
      subject.openRequests -= 1;
      if (subject.openRequests === 0) this.#subjects.delete(about);
    }
    return isDenied;
  }
}

function subjectsOf({ uri, name }: OpenRequest['entry']): string[] {
  if (uri === undefined) return name === undefined ? [] : [name];
  return name === undefined || name === uri ? [uri] : [uri, name];
}

/**
 * The resource that a tool names in its result, with its title for people, because a deleted one no longer
 * has a title.
 */
function writtenIn({ method }: OpenRequest['entry'], answer: Answer): Partial<ActivityEntry> {
  if (method !== 'tools/call' || !answer || !('result' in answer)) return {};
  const { uri, title } = (answer.result['structuredContent'] ?? {}) as { [name: string]: unknown };
  if (typeof uri !== 'string') return {};
  return typeof title === 'string' ? { uri, title } : { uri };
}

function endingOf(answer: Answer): Ending {
  if (!answer) return { outcome: 'cancelled' };
  if ('error' in answer) return { outcome: 'refused', code: answer.error.code };
  const { resultType, isError } = answer.result;
  if (resultType === 'input_required') return { outcome: 'asked' };
  return { outcome: isError === true ? 'failed' : 'ok' };
}

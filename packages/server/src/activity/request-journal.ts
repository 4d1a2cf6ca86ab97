import type { Observer, PendingCall } from '@inpage-mcp/protocol';
import { DENIED_UNDER_WAY, type ActivityEntry, type ActivityLog } from './activity-log.js';

/** A request, as far as it is logged. */
type LoggedCall = Pick<PendingCall, 'method' | 'params'>;

type Answer = Parameters<NonNullable<Observer['ended']>>[1];

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
 * Watches the requests of one connection, and writes each into the log when it has ended. A
 * subscription is written when it is acknowledged, not when it ends.
 */
export class RequestJournal implements Observer {
  readonly #log: ActivityLog;
  readonly #connection: number;
  readonly #holder: string;
  readonly #open = new Map<LoggedCall, OpenRequest>();
  /** What the open requests are about: a client may have as many denied as it likes. */
  readonly #subjects = new Map<string, Subject>();
  #lastNumber = 0;

  /** @param holder Whose share of the log it writes into. */
  constructor(log: ActivityLog, connection: number, holder: string) {
    this.#log = log;
    this.#connection = connection;
    this.#holder = holder;
  }

  began(call: LoggedCall): void {
    const { method, params } = call;
    const time = new Date().toISOString();
    const entry: OpenRequest['entry'] = { time, connection: this.#connection, method };
    // What a completion is for stands in its reference.
    const { uri, name } = (params['ref'] ?? params) as { uri?: unknown; name?: unknown };
    if (typeof uri === 'string') entry.uri = uri;
    if (typeof name === 'string') entry.name = name;
    this.#lastNumber += 1;
    this.#open.set(call, { entry, startedAt: performance.now(), number: this.#lastNumber });
    for (const about of subjectsOf(entry)) this.#openSubject(about).openRequests += 1;
  }

  ended(call: LoggedCall, answer: Answer): void {
    const request = this.#open.get(call);
    // A stream is on record since it was opened.
    if (!request) return;
    this.#open.delete(call);
    const durationMs = Math.round((performance.now() - request.startedAt) * 10) / 10;
    const ending = endingOf(answer);
    const outcome = this.#endSubjects(request) ? 'denied' : ending.outcome;
    this.#log.add({ ...request.entry, ...ending, outcome, durationMs }, this.#holder);
  }

  opened(call: LoggedCall): void {
    this.ended(call, { jsonrpc: '2.0', id: 0, result: {} });
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

  #openSubject(about: string): Subject {
    let subject = this.#subjects.get(about);
    if (!subject) {
      subject = { openRequests: 0, deniedUntil: 0 };
      this.#subjects.set(about, subject);
    }
    return subject;
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

function subjectsOf({ uri, name }: OpenRequest['entry']): string[] {
  if (uri === undefined) return name === undefined ? [] : [name];
  return name === undefined || name === uri ? [uri] : [uri, name];
}

function endingOf(answer: Answer): Ending {
  if (!answer) return { outcome: 'cancelled' };
  if ('error' in answer) return { outcome: 'refused', code: answer.error.code };
  const { resultType, isError } = answer.result;
  if (resultType === 'input_required') return { outcome: 'asked' };
  return { outcome: isError === true ? 'failed' : 'ok' };
}

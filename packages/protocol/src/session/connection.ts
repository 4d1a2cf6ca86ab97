import type { Call } from '../calls/call.js';
import { END_OF_STREAM } from '@inpage-mcp/transport';
import { ClientRequests } from '../calls/client-requests.js';
import type { Deadlines } from '../calls/deadlines.js';
import {
  isLogged,
  type CallHost,
  type LegacyClient,
  type PendingCall,
} from '../calls/pending-call.js';
import type { FairShare } from '../fairness/fair-share.js';
import type { Quota } from '../fairness/quota.js';
import { EraChoice } from '../inbound/era-choice.js';
import { FairPort } from '../inbound/fair-port.js';
import { Intake } from '../inbound/intake.js';
import { Subscriptions, type ListName } from '../subscriptions/subscriptions.js';
import type { ProtocolError } from '../wire/errors.js';
import type { InputRequest, InputResponse } from '../wire/input-types.js';
import { META, NOTIFICATIONS, REVISION_WITH_BATCHES, REVISIONS } from '../wire/keys.js';
import { omitUndefined } from '../wire/omit-undefined.js';
import type { LogLevel, Params } from '../wire/types.js';
import { Announcer } from './announcer.js';
import { methodsOf, type ServedParts } from './method-table.js';
import { guardObserver, type Observer } from './observer.js';
import { OpenCalls } from './open-calls.js';
import { throttleReports } from './throttled-reports.js';

/** The parts of one connection. */
export interface ConnectionParts<Context> extends ServedParts<Context> {
  context: Context;
  share: FairShare;
  deadlines: Deadlines;
  observer: Observer;
  onnotification: ((method: string, params: Params) => void) | undefined;
  /** Called once, after either side has ended the connection. */
  onclose(): void;
}

/** One served port: the state of its client, and its inbound and outbound messages. */
export class Connection<Context> implements CallHost<Context> {
  readonly context: Context;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  readonly legacy: LegacyClient = {
    revision: REVISIONS.legacy[0],
    info: undefined,
    capabilities: {},
    logLevel: undefined,
    offered: {},
  };
  readonly #parts: ConnectionParts<Context>;
  readonly #port: FairPort;
  readonly #era = new EraChoice();
  readonly #calls: OpenCalls<Context>;
  readonly #client: ClientRequests;
  readonly #subscriptions: Subscriptions;
  readonly #announcer: Announcer;
  readonly #reports: ReturnType<typeof throttleReports>;
  readonly #intake: Intake;
  readonly #leave: () => void;
  /** The quota for the kept data of this connection's messages. */
  readonly #kept: Quota;
  #isEnded = false;

  constructor(port: MessagePort, parts: ConnectionParts<Context>) {
    const { share } = parts;
    this.#parts = parts;
    this.context = parts.context;
    this.deadlines = parts.deadlines;
    this.timeoutMs = share.limits.timeoutMs;
    this.#reports = throttleReports(parts.errors.onerror);
    const report = this.#reports.report;
    const observer = guardObserver(parts.observer, report);
    this.#port = new FairPort(port, share.messages, {
      onmessage: (data) => this.#intake.receive(data),
      onundecodable: () => report(new Error('A message could not be deserialised.')),
      onoverflow: () => this.#intake.disconnect(),
      onslow: (data, elapsedMs) => share.tookLong(data, elapsedMs),
    });
    this.#client = new ClientRequests((message) => this.#post({ jsonrpc: '2.0', ...message }));
    this.#kept = share.kept.part();
    this.#subscriptions = new Subscriptions(share.subscriptions);
    const capabilities = () => parts.capabilities(this.#era.era);
    this.#announcer = new Announcer({
      subscriptions: this.#subscriptions,
      access: parts.access,
      resources: parts.resources,
      era: () => this.#era.era,
      capabilities: () => (this.#era.era === 'legacy' ? this.legacy.offered : capabilities()),
      notify: (method, params) => this.notify(method, params),
    });
    const methods = methodsOf(parts, {
      client: this.legacy,
      subscriptions: this.#subscriptions,
      capabilities,
      acknowledge: (call, notifications) => {
        const _meta = { [META.subscriptionId]: call.id };
        this.notify(NOTIFICATIONS.acknowledged, { notifications, _meta });
        observer.opened(call);
      },
    });
    this.#calls = new OpenCalls({
      served: parts,
      methods,
      share,
      kept: this.#kept,
      era: this.#era,
      host: this,
      subscriptions: this.#subscriptions,
      observer,
      post: (answer) => this.#post(answer),
      report,
    });
    this.#intake = new Intake({
      inbound: this.#calls.inbound,
      client: this.#client,
      kept: this.#kept,
      isEnded: () => this.#isEnded,
      takesBatches: () =>
        this.#era.era === 'legacy' && this.legacy.revision === REVISION_WITH_BATCHES,
      post: (answer) => this.#post(answer),
      onrequest: (request, arrival) => this.#calls.begin(request, arrival),
      onnotification: ({ method, params = {} }) => {
        try {
          parts.onnotification?.(method, params);
        } catch (error) {
          report(error);
        }
      },
      oncancel: (message) => this.#calls.cancel(message),
      onend: () => this.#end(),
      disconnect: () => this.#disconnect(),
      report,
    });
    this.#leave = share.join(() => this.#disconnect());
    this.#port.start();
  }

  /** Ends the connection: open streams get their result, then the port gets `null`. */
  close(): void {
    if (this.#isEnded) return;
    for (const id of this.#subscriptions.streams) this.#calls.endStream(id);
    this.#disconnect();
  }

  /**
   * Ends requests early, waiting or running. If `errorFor` returns an error, the request is
   * answered with it now, its handler is aborted, and the handler's result is dropped. Streams stay
   * open.
   */
  failOpen(errorFor: (call: Call<Context>) => ProtocolError | undefined): void {
    this.#calls.failOpen(errorFor);
  }

  /**
   * Ends each stream that listens to a uri that matches, with its result (Subscriptions › Ending),
   * and each `resources/subscribe` to one, silently: the legacy era has no message for this.
   */
  endSubscriptions(matches: (uri: string) => boolean): void {
    this.#subscriptions.deleteAll(matches);
    for (const id of this.#subscriptions.streamsWith(matches)) this.#calls.endStream(id);
  }

  /** Notifies the client that a list has changed. */
  announce(list: ListName): void {
    this.#announcer.listChanged(list);
  }

  /** Sends a log message: see `log` of the server. */
  log(level: LogLevel, data: unknown, logger?: string): void {
    const { logLevel = level, offered } = this.legacy;
    if (this.#era.era !== 'legacy' || !offered.logging || !isLogged(level, logLevel)) return;
    this.notify(NOTIFICATIONS.message, omitUndefined({ level, data, logger }));
  }

  notify(method: string, params?: Params): void {
    try {
      this.#post({ jsonrpc: '2.0', method, ...(params && { params }) });
    } catch (error) {
      this.#reports.report(error);
    }
  }

  async askClient(request: InputRequest, signal: AbortSignal): Promise<InputResponse> {
    const { method, params = {} } = request;
    const isUrl = method === 'elicitation/create' && request.params.mode === 'url';
    const elicitationId = isUrl ? { elicitationId: crypto.randomUUID() } : {};
    const options = { timeoutMs: this.#parts.roundTimeoutMs, signal };
    const sent = { ...elicitationId, ...(params as Params) };
    return (await this.#client.ask(method, sent, options)) as unknown as InputResponse;
  }

  begin(call: PendingCall<Context>): void {
    this.#calls.run(call);
  }

  timeOut(call: PendingCall<Context>): void {
    this.#calls.timeOut(call);
  }

  /**
   * Posts a message.
   *
   * @throws {DataCloneError} for a value that no port can carry.
   */
  #post(message: unknown): void {
    if (!this.#isEnded) this.#port.postMessage(message);
  }

  /** Ends the connection at once: later messages are neither read nor answered. */
  #disconnect(): void {
    if (this.#isEnded) return;
    this.#post(END_OF_STREAM);
    this.#end();
  }

  #end(): void {
    this.#isEnded = true;
    this.#port.close();
    this.#leave();
    this.#announcer.close();
    this.#calls.end();
    this.#kept.clear();
    this.#subscriptions.clear();
    this.#reports.end();
    this.#parts.onclose();
  }
}

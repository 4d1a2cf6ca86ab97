import {
  END_OF_STREAM,
  type JsonRpcError,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResult,
  type RequestId,
} from '@inpage-mcp/transport';
import { ClientRequests } from '../calls/client-requests.js';
import type { Deadlines } from '../calls/deadlines.js';
import { PendingCall, type CallHost, type LegacyClient } from '../calls/pending-call.js';
import type { FairShare } from '../fairness/fair-share.js';
import type { ConnectionRequests } from '../fairness/request-queue.js';
import { toProtocolError } from '../features/handler-errors.js';
import { ASKING_METHODS, isInputRequired, runAsking } from '../features/input-required.js';
import type { Method } from '../features/methods.js';
import { STREAM } from '../features/subscription-methods.js';
import { failed } from '../features/tool.js';
import { Admission } from '../inbound/admission.js';
import { EraChoice } from '../inbound/era-choice.js';
import { FairPort } from '../inbound/fair-port.js';
import { Intake } from '../inbound/intake.js';
import { MessageBatches } from '../inbound/message-batches.js';
import { pastQueue } from '../inbound/refusals.js';
import { WAY_IN, type ArrivedCall, type Arrival, type WayInParts } from '../inbound/way-in.js';
import { endOfStream, errorAnswer, resultAnswer } from '../outbound/way-out.js';
import { Subscriptions, type ListName } from '../subscriptions/subscriptions.js';
import { internalError, ProtocolError } from '../wire/errors.js';
import type { InputRequest, InputResponse } from '../wire/input-types.js';
import { LISTEN, META, NOTIFICATIONS, REVISION_WITH_BATCHES, REVISIONS } from '../wire/keys.js';
import { cancelledBy } from '../wire/messages.js';
import type { Params } from '../wire/types.js';
import { Announcer } from './announcer.js';
import { methodsOf, type ServedParts } from './method-table.js';
import { guarded, type Observer } from './observer.js';
import { quietReports } from './quiet-reports.js';

/** What one connection is made of. */
export interface ConnectionParts<Context> extends ServedParts<Context> {
  context: Context;
  share: FairShare;
  deadlines: Deadlines;
  observer: Observer;
  /** Called once, when either side has ended the connection. */
  onclose(): void;
}

/** One served port: all that is known of its client, and the way of its messages in and out. */
export class Connection<Context> implements CallHost<Context> {
  readonly context: Context;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  readonly legacy: LegacyClient = {
    revision: REVISIONS.legacy[0],
    info: undefined,
    capabilities: {},
    logLevel: undefined,
  };
  readonly #parts: ConnectionParts<Context>;
  readonly #port: FairPort;
  readonly #era = new EraChoice();
  readonly #methods: ReadonlyMap<string, Method<Context>>;
  /** The requests that have yet to be answered: they wait, are worked on, or are streams. */
  readonly #open = new Map<RequestId, PendingCall<Context>>();
  readonly #queue: ConnectionRequests<PendingCall<Context>>;
  readonly #admission: Admission;
  readonly #batches: MessageBatches;
  readonly #client: ClientRequests;
  readonly #subscriptions: Subscriptions;
  readonly #announcer: Announcer;
  readonly #reports: ReturnType<typeof quietReports>;
  readonly #observer: Required<Observer>;
  readonly #wayIn: WayInParts;
  readonly #intake: Intake;
  readonly #leave: () => void;
  #isEnded = false;

  constructor(port: MessagePort, parts: ConnectionParts<Context>) {
    const { share } = parts;
    this.#parts = parts;
    this.context = parts.context;
    this.deadlines = parts.deadlines;
    this.timeoutMs = share.limits.timeoutMs;
    this.#reports = quietReports(parts.errors.onerror);
    this.#observer = guarded(parts.observer, this.#reports.report);
    this.#port = new FairPort(port, share.messages, {
      onmessage: (data) => this.#intake.receive(data),
      onundecodable: () => this.#report('A message could not be deserialised.'),
      onoverflow: () => this.#admission.sendAway(),
      onslow: (data, elapsedMs) => share.tookLong(data, elapsedMs),
    });
    this.#client = new ClientRequests(this.deadlines, (message) =>
      this.#post({ jsonrpc: '2.0', ...message }),
    );
    this.#admission = new Admission({
      share,
      isOpen: (id) => this.#open.has(id),
      isAsked: (id) => this.#client.has(id),
      reply: (answer) => {
        if (!this.#batches.keep(answer)) this.#post(answer);
      },
      report: (error) => this.#reports.report(error),
      close: () => this.#hangUp(),
    });
    this.#batches = new MessageBatches((answers) => this.#post(answers), share.requests.kept);
    this.#queue = share.requests.connect<PendingCall<Context>>((call) => this.#work(call));
    this.#subscriptions = new Subscriptions(share.subscriptions);
    const capabilities = () => parts.capabilities(this.#era.era);
    this.#announcer = new Announcer({
      subscriptions: this.#subscriptions,
      access: parts.access,
      resources: parts.resources,
      era: () => this.#era.era,
      capabilities,
      notify: (method, params) => this.notify(method, params),
    });
    this.#methods = methodsOf(parts, {
      client: this.legacy,
      subscriptions: this.#subscriptions,
      capabilities,
      acknowledge: (call, notifications) => {
        const _meta = { [META.subscriptionId]: call.id };
        this.notify(NOTIFICATIONS.acknowledged, { notifications, _meta });
        this.#observer.opened(call as PendingCall);
      },
    });
    this.#wayIn = { share, open: this.#open, era: this.#era, methods: this.#methods };
    this.#intake = new Intake({
      wayIn: this.#wayIn,
      admission: this.#admission,
      batches: this.#batches,
      client: this.#client,
      isEnded: () => this.#isEnded,
      takesBatches: () =>
        this.#era.era === 'legacy' && this.legacy.revision === REVISION_WITH_BATCHES,
      onrequest: (request, arrival) => this.#takeRequest(request, arrival),
      oncancel: (message) => this.#takeCancellation(message),
      onend: () => this.#end(),
      report: (text) => this.#report(text),
    });
    this.#leave = share.join(() => this.#hangUp());
    this.#port.start();
  }

  /** Ends the connection: open streams get their result, then the port gets `null`. */
  close(): void {
    if (this.#isEnded) return;
    for (const id of this.#subscriptions.streams) this.#endStream(id);
    this.#hangUp();
  }

  /**
   * Ends requests early, whether they wait or are worked on: each for which there is an error is
   * answered with it now, its work is aborted, and what comes of that is dropped. Streams go on.
   */
  failOpen(errorFor: (call: PendingCall<Context>) => ProtocolError | undefined): void {
    for (const call of this.#open.values()) {
      const error = call.method === LISTEN ? undefined : errorFor(call);
      if (!error) continue;
      this.#answer(call, errorAnswer(call, error));
      call.abort(error);
    }
  }

  /**
   * Ends each stream that listens to such a uri, with its result (Subscriptions › Ending), and each
   * `resources/subscribe` to one without a word: the legacy era has none.
   */
  endSubscriptions(isSuch: (uri: string) => boolean): void {
    this.#subscriptions.deleteAll(isSuch);
    for (const id of this.#subscriptions.streamsWith(isSuch)) this.#endStream(id);
  }

  /** Notifies the client that a list has changed. */
  announce(list: ListName): void {
    this.#announcer.listChanged(list);
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

  timedOut(call: PendingCall<Context>): void {
    const error = timeoutError(this.timeoutMs);
    // Before the signal: what the call makes of that must not become its answer.
    if (call.method === 'tools/call') this.#finish(call, failed(error.message));
    else this.#fail(call, error);
    call.abort(error);
  }

  #takeRequest(request: JsonRpcRequest, arrival: Arrival): void {
    const isHeavy = this.#parts.isHeavy(request.method, request.params);
    const call = new PendingCall<Context>(request, { bytes: arrival.bytes, isHeavy }, this);
    this.#open.set(call.id, call);
    this.#observer.began(call);
    try {
      const arrived: ArrivedCall = { request, call: call, method: undefined };
      for (const step of WAY_IN.call) step(arrived, this.#wayIn);
      this.#enqueue(call);
    } catch (error) {
      this.#fail(call, error);
    }
  }

  /** Lets it wait for its turn. Streams and handshakes wait for nothing. */
  #enqueue(call: PendingCall<Context>): void {
    const { limits } = this.#parts.share;
    if (call.method === LISTEN) return this.#work(call);
    // What a client says of itself is kept as long as the connection.
    const isHandshake = call.method === 'initialize';
    if (isHandshake && this.#queue.keep(call.bytes)) return this.#work(call);
    const limit = isHandshake ? 'keptBytes' : this.#queue.add(call);
    if (!limit) return;
    const { code, message, data } = pastQueue(limit, limits[limit], call.bytes);
    throw new ProtocolError(code, message, data);
  }

  #takeCancellation(message: JsonRpcNotification): void {
    const call = this.#open.get(cancelledBy(message));
    // It was answered before, or never was.
    if (!call) return;
    this.#forget(call);
    this.#batches.cancel(call.id);
    this.#observer.ended(call, undefined);
    call.abort(new DOMException('The client has cancelled the request.', 'AbortError'));
  }

  /** Hands a call to its method. An answer that is there at once goes out at once. */
  #work(call: PendingCall<Context>): void {
    if (call.method !== LISTEN) call.start();
    try {
      const outcome = this.#run(call);
      if (!(outcome instanceof Promise)) return this.#finish(call, outcome);
      outcome
        .then((result) => this.#finish(call, result))
        .catch((error: unknown) => this.#fail(call, error));
    } catch (error) {
      this.#fail(call, error);
    }
  }

  #run(call: PendingCall<Context>): object | Promise<object> {
    const method = this.#methods.get(call.method)!;
    const run = (): object | Promise<object> => method.run(call.params, call);
    const isAsking = ASKING_METHODS.includes(call.method);
    const { requestState, maxRounds, errors, share } = this.#parts;
    const parts = { requestState, maxRounds, onerror: errors.onerror };
    const asking = isAsking ? () => runAsking(call, run, parts) : run;
    return call.isHeavy ? share.work.run<object>(asking) : asking();
  }

  #finish(call: PendingCall<Context>, result: object): void {
    if (call.isOver) return;
    if (result === STREAM) return call.forgetParams();
    if (isInputRequired(result) && !ASKING_METHODS.includes(call.method)) {
      return this.#fail(call, internalError(`${call.method} cannot ask for input.`));
    }
    const { info, briefInfo } = this.#parts;
    const server = call.method === 'server/discover' ? info : briefInfo;
    this.#answer(call, resultAnswer(call, result, server));
  }

  #fail(call: PendingCall<Context>, error: unknown): void {
    if (call.isOver) return;
    const known = toProtocolError(error, call, this.#parts.errors);
    this.#answer(call, errorAnswer(call, known));
  }

  #endStream(id: RequestId): void {
    const call = this.#open.get(id);
    if (call) this.#finish(call, endOfStream(call));
  }

  #answer(call: PendingCall<Context>, answer: JsonRpcResult | JsonRpcError): void {
    this.#forget(call);
    const sent = this.#batches.keep(answer) ? answer : this.#postAnswer(call, answer);
    this.#observer.ended(call, sent);
  }

  /** Answers with an error where the answer cannot be sent, such as one that holds a function. */
  #postAnswer(
    call: PendingCall<Context>,
    answer: JsonRpcResult | JsonRpcError,
  ): JsonRpcResult | JsonRpcError {
    try {
      this.#post(answer);
      return answer;
    } catch (error) {
      this.#reports.report(error);
      const instead = errorAnswer(call, internalError());
      this.#post(instead);
      return instead;
    }
  }

  /** It is open no longer: its id and its place may be taken again. */
  #forget(call: PendingCall<Context>): void {
    call.end();
    this.#open.delete(call.id);
    this.#queue.delete(call);
    if (call.method === LISTEN) this.#subscriptions.end(call.id);
  }

  /** @throws {DataCloneError} for a value that no port can carry. */
  #post(message: unknown): void {
    if (!this.#isEnded) this.#port.postMessage(message);
  }

  /** Ends it at once: nothing that still arrives is looked at or answered. */
  #hangUp(): void {
    if (this.#isEnded) return;
    this.#post(END_OF_STREAM);
    this.#end();
  }

  #report(text: string): void {
    this.#reports.report(new Error(text));
  }

  #end(): void {
    this.#isEnded = true;
    this.#port.close();
    this.#leave();
    this.#announcer.close();
    const reason = new DOMException('The connection has ended.', 'AbortError');
    for (const call of this.#open.values()) {
      this.#observer.ended(call, undefined);
      call.abort(reason);
    }
    this.#open.clear();
    this.#queue.clear();
    this.#batches.clear();
    this.#subscriptions.clear();
    this.#reports.end();
    this.#parts.onclose();
  }
}

/** A call took longer than it may, in milliseconds: −32603. */
function timeoutError(timeoutMs: number): ProtocolError {
  const text = `This took longer than ${timeoutMs / 1_000} s, and was ended.`;
  return internalError(text, { limit: 'timeoutMs', maximum: timeoutMs });
}

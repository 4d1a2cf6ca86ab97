import {
  isJsonRpcMessage,
  MessagePortTransport,
  type JsonRpcError,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResult,
  type RequestId,
} from '@inpage-mcp/transport';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  type Implementation,
} from '@modelcontextprotocol/server';
import { Admission } from './admission.js';
import { FairPort } from './fair-port.js';
import type { FairShare } from './fair-share.js';
import { checkBudget, weigh } from './message-budget.js';
import { MessageBatches, REVISION_WITH_BATCHES } from './message-batches.js';
import { inWordsOf } from './older-revisions.js';
import {
  cancelledBy,
  isCancellation,
  isRequest,
  OpenRequests,
  type OpenRequest,
} from './open-requests.js';
import { asSpecified, unsendableAnswer } from './protocol-errors.js';
import {
  badId,
  idInUse,
  isLikeAnswer,
  notAMessage,
  pastBudget,
  pastQueue,
  requestIdOf,
} from './refusals.js';
import { refusalOf } from './request-gate.js';
import type { RequestJournal } from './request-journal.js';
import type { ConnectionRequests } from './request-queue.js';
import { namedBriefly } from './server-identity.js';
import type { SubscribedUris } from './subscribed-uris.js';

const LISTEN = 'subscriptions/listen';

/** Who looks at the messages of a connection. */
export interface ServedPortParts {
  journal: RequestJournal;
  subscribed: SubscribedUris;
  /** That of the holder of the connection. */
  share: FairShare;
  /** Named where a stream ends. */
  serverInfo: Implementation;
  /** Called once, when either side has ended the connection. */
  onEnd: () => void;
}

/**
 * The port as the SDK sees it. What comes in is refused where the SDK would not, what goes out is
 * put right where the specification differs, and both are seen by the journal of the connection.
 */
export class ServedPortTransport extends MessagePortTransport {
  /** Which family of revisions the connection speaks, as soon as that is known. */
  era: 'legacy' | 'modern' | undefined;
  readonly #parts: ServedPortParts;
  readonly #open = new OpenRequests();
  /** The requests that the SDK has sent and that have yet to be answered. */
  readonly #asked = new Set<RequestId>();
  readonly #queue: ConnectionRequests;
  readonly #admission: Admission;
  /** Leaves the share of the holder. */
  readonly #leave: () => void;
  readonly #batches: MessageBatches;
  #isEnded = false;
  #legacyVersion: string | undefined;

  constructor(port: MessagePort, parts: ServedPortParts) {
    const { share } = parts;
    const admission = new Admission({
      share,
      isOpen: (id) => this.#open.has(id),
      isAsked: (id) => this.#asked.has(id),
      reply: (answer) => this.#reply(answer),
      report: (error) => this.onerror?.(error),
      close: () => void this.close(),
    });
    const fair = new FairPort(port, share.messages, {
      onoverflow: () => admission.sendAway(),
      onslow: (data, elapsedMs) => share.tookLong(data, elapsedMs),
    });
    super(fair as unknown as MessagePort);
    this.#parts = parts;
    this.#admission = admission;
    const post = (answers: unknown): void => {
      if (!this.#isEnded) this.post(answers);
    };
    this.#batches = new MessageBatches(post, share.requests.kept);
    this.#leave = share.join(() => void this.close());
    this.#queue = share.requests.connect((request) => super.received(request));
  }

  /** The SDK tells the revision that `initialize` agreed on. */
  setProtocolVersion(version: string): void {
    this.#legacyVersion = version;
  }

  /**
   * Ends requests early, whether they wait or are worked on: each for which there is an error is
   * answered with it now, its work is aborted, and what comes of that is dropped. Streams go on.
   */
  failOpen(errorFor: (request: OpenRequest) => JsonRpcError['error'] | undefined): void {
    for (const request of this.#open.all) {
      const error = request.method === LISTEN ? undefined : errorFor(request);
      if (error) this.#end(request, { jsonrpc: '2.0', id: request.id, error });
    }
  }

  /**
   * Ends each stream of `subscriptions/listen` that names such a uri with its result (Subscriptions
   * › Ending), and each `resources/subscribe` to one without a word: the legacy era has none.
   */
  endStreams(isOutside: (uri: string) => boolean): void {
    this.#parts.subscribed.deleteAll(isOutside);
    for (const id of this.#parts.subscribed.streamsWith(isOutside)) {
      const request = this.#open.get(id);
      if (request) this.#end(request, endOfStream(id, this.#parts.serverInfo));
    }
  }

  override async send(message: JsonRpcMessage): Promise<void> {
    if (this.#isStale(message)) return;
    if (isRequest(message)) this.#asked.add(message.id);
    else if (isCancellation(message)) this.#asked.delete(cancelledBy(message));
    const method =
      'id' in message && message.id !== undefined ? this.#open.get(message.id)?.method : undefined;
    try {
      const specified = asSpecified(message, this.era, method);
      const mended = namedBriefly(method, inWordsOf(this.#legacyVersion, method, specified));
      await this.#sendOrKeep(mended);
    } catch (error) {
      const answer = unsendableAnswer(message, error);
      if (!answer) throw error;
      await this.#sendOrKeep(answer);
    }
  }

  protected override received(message: JsonRpcMessage): void {
    if (!this.#isAdmitted(message)) return;
    const { finding, bytes } = weigh(message, this.#parts.share.limits);
    if (finding) this.#admission.refuse(message, pastBudget(finding));
    else this.#take(message, bytes);
  }

  protected override receivedOther(value: unknown): boolean {
    if (Array.isArray(value) && this.#legacyVersion === REVISION_WITH_BATCHES) {
      this.#receiveBatch(value);
      return true;
    }
    if (!this.#isAdmitted(value)) return true;
    const finding = checkBudget(value, this.#parts.share.limits);
    if (finding) this.#admission.refuse(value, pastBudget(finding));
    else if (isLikeAnswer(value)) return false;
    else this.#admission.refuse(value, notAMessage());
    return true;
  }

  protected override ended(): void {
    super.ended();
    this.#isEnded = true;
    this.#leave();
    this.#open.clear();
    this.#queue.clear();
    this.#batches.clear();
    this.#parts.subscribed.clear();
    this.#parts.journal.close();
    this.#parts.onEnd();
  }

  /** Whether a message may come in by the rate; see {@link Admission.isInRate}. */
  #isAdmitted(value: unknown): boolean {
    return !this.#isEnded && this.#admission.isInRate(value);
  }

  #reply(answer: JsonRpcError): void {
    // Whoever has gone meanwhile needs no answer.
    this.#sendOrKeep(answer).catch(() => undefined);
  }

  /** Its messages count each by itself against the rate, and whatever else is in it counts once. */
  #receiveBatch(values: readonly unknown[]): void {
    const { limits } = this.#parts.share;
    // Each message of it may be as deep as any.
    const finding = checkBudget(values, { ...limits, messageDepth: limits.messageDepth + 1 });
    if (finding) {
      if (this.#isAdmitted(values)) this.#admission.refuse(values, pastBudget(finding));
      return;
    }
    const isClean = values.length > 0 && values.every(isJsonRpcMessage);
    if (!isClean) this.#isAdmitted(values);
    if (this.#isEnded) return;
    const take = (message: JsonRpcMessage): void => {
      if (this.#isAdmitted(message)) this.#take(message, weigh(message, limits).bytes);
    };
    this.#batches.receive(values, take, (id) => this.#open.has(id));
  }

  /** @param bytes What it weighs. */
  #take(message: JsonRpcMessage, bytes: number): void {
    if (isRequest(message)) this.#takeRequest(message, bytes);
    else if (isCancellation(message)) this.#takeCancellation(message);
    else {
      if (!('method' in message) && message.id !== undefined) this.#asked.delete(message.id);
      super.received(message);
    }
  }

  #takeRequest(request: JsonRpcRequest, bytes: number): void {
    if (requestIdOf(request) === undefined) return this.#admission.refuse(request, badId());
    if (this.#open.has(request.id)) return this.#admission.refuse(request, idInUse());
    const { share, subscribed, journal } = this.#parts;
    const { limits } = share;
    const refusal = refusalOf(request, this.era, { limits, subscribed });
    this.#open.add(request);
    journal.received(request);
    if (refusal) return void this.send(refusal);
    subscribed.received(request);
    const limit = this.#begin(request, bytes);
    if (!limit) return;
    const error = pastQueue(limit, limits[limit], bytes);
    void this.send({ jsonrpc: '2.0', id: request.id, error });
  }

  /** Hands a request on, or lets it wait. Gives the limit that leaves no room for it, if one does. */
  #begin(request: JsonRpcRequest, bytes: number): 'requestsQueued' | 'keptBytes' | undefined {
    const { method } = request;
    if (method !== LISTEN && method !== 'initialize') return this.#queue.add(request, bytes);
    // What a client says of itself is kept as long as the connection. Of a stream nothing is but its
    // uris, which are counted.
    if (method === 'initialize' && !this.#queue.keep(bytes)) return 'keptBytes';
    super.received(request);
    return undefined;
  }

  #takeCancellation(message: JsonRpcNotification): void {
    const id = cancelledBy(message);
    // It was answered before, or never was: the SDK need not look for it.
    if (!this.#open.delete(id)) return;
    this.#parts.journal.received(message);
    this.#parts.subscribed.received(message);
    this.#batches.cancel(id);
    if (!this.#queue.delete(id)) super.received(message);
  }

  /** Answers in the place of the SDK, and tells it that nobody waits any longer. */
  #end(request: OpenRequest, answer: JsonRpcResult | JsonRpcError): void {
    void this.send(answer);
    super.received(cancellationOf(request));
  }

  /** Whether it is about a request that was ended before. */
  #isStale(message: JsonRpcMessage): boolean {
    if (!('method' in message)) return message.id !== undefined && !this.#open.has(message.id);
    if (message.method !== 'notifications/subscriptions/acknowledged') return false;
    const meta = message.params?.['_meta'] as { [key: string]: unknown } | undefined;
    return !this.#open.has(meta?.[SUBSCRIPTION_ID_META_KEY] as RequestId);
  }

  async #sendOrKeep(message: JsonRpcMessage): Promise<void> {
    if (!('method' in message) && message.id !== undefined) {
      this.#open.delete(message.id);
      this.#queue.delete(message.id);
    }
    const isKept = !('method' in message) && this.#batches.keep(message);
    // Before anything is awaited: the id may be in use again by then.
    if (!isKept) this.post(message);
    this.#parts.journal.sent(message);
    this.#parts.subscribed.sent(message);
  }
}

/** What the SDK knows a message of the modern era by. */
const MODERN_ENVELOPE = {
  [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
  [CLIENT_INFO_META_KEY]: { name: '', version: '' },
  [CLIENT_CAPABILITIES_META_KEY]: {},
};

/** Without a `_meta` the SDK takes it for one of the legacy era. */
function cancellationOf({ id, isModern }: OpenRequest): JsonRpcMessage {
  const reason = 'The server has ended the request.';
  return {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: id, reason, ...(isModern && { _meta: MODERN_ENVELOPE }) },
  };
}

/** What the SDK sends when the connection ends. */
function endOfStream(id: RequestId, serverInfo: Implementation): JsonRpcResult {
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: serverInfo };
  return { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } };
}

import {
  MessagePortTransport,
  type JsonRpcError,
  type JsonRpcMessage,
  type JsonRpcRequest,
  type JsonRpcResult,
  type RequestId,
} from '@inpage-mcp/transport';
import {
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  type Implementation,
} from '@modelcontextprotocol/server';
import type { ConnectionLimits } from './limits.js';
import { MessageBatches, REVISION_WITH_BATCHES } from './message-batches.js';
import { inWordsOf } from './older-revisions.js';
import { isRequest, OpenRequests } from './open-requests.js';
import { asSpecified, unsendableAnswer } from './protocol-errors.js';
import { refusalOf } from './request-gate.js';
import type { RequestJournal } from './request-journal.js';
import { namedBriefly } from './server-identity.js';
import type { SubscribedUris } from './subscribed-uris.js';

const LISTEN = 'subscriptions/listen';

/** Who looks at the messages of a connection. */
export interface ServedPortParts {
  journal: RequestJournal;
  subscribed: SubscribedUris;
  limits: ConnectionLimits;
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
  readonly #batches = new MessageBatches((answers) => this.post(answers));
  #legacyVersion: string | undefined;

  constructor(port: MessagePort, parts: ServedPortParts) {
    super(port);
    this.#parts = parts;
  }

  /** The SDK tells the revision that `initialize` agreed on. */
  setProtocolVersion(version: string): void {
    this.#legacyVersion = version;
  }

  /**
   * Ends requests early, whether they wait or are worked on: each for which there is an error is
   * answered with it now, its work is aborted, and what comes of that is dropped. Streams go on.
   */
  failOpen(errorFor: (request: JsonRpcRequest) => JsonRpcError['error'] | undefined): void {
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
    const method =
      'id' in message && message.id !== undefined ? this.#open.get(message.id)?.method : undefined;
    const specified = asSpecified(message, this.era, method);
    const mended = namedBriefly(method, inWordsOf(this.#legacyVersion, method, specified));
    try {
      await this.#sendOrKeep(mended);
    } catch (error) {
      const answer = unsendableAnswer(mended, error);
      if (!answer) throw error;
      await this.#sendOrKeep(answer);
    }
  }

  protected override received(message: JsonRpcMessage): void {
    const refusal = refusalOf(message, this.era, this.#parts);
    this.#parts.journal.received(message);
    if (!refusal) this.#parts.subscribed.received(message);
    if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'] as RequestId;
      this.#open.delete(id);
      this.#batches.cancel(id);
    }
    if (isRequest(message)) this.#open.add(message);
    if (refusal) void this.send(refusal);
    else super.received(message);
  }

  protected override receivedOther(value: unknown): boolean {
    if (!Array.isArray(value) || this.#legacyVersion !== REVISION_WITH_BATCHES) return false;
    this.#batches.receive(value, (message) => this.received(message));
    return true;
  }

  protected override ended(): void {
    super.ended();
    this.#open.clear();
    this.#parts.journal.close();
    this.#parts.onEnd();
  }

  /** Answers in the place of the SDK, and tells it that nobody waits any longer. */
  #end(request: JsonRpcRequest, answer: JsonRpcResult | JsonRpcError): void {
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
    if (!('method' in message) && message.id !== undefined) this.#open.delete(message.id);
    const isKept = !('method' in message) && this.#batches.keep(message);
    if (!isKept) await super.send(message);
    this.#parts.journal.sent(message);
    this.#parts.subscribed.sent(message);
  }
}

/** Carries the `_meta` of the request: without one, the SDK takes it for one of the legacy era. */
function cancellationOf({ id, params }: JsonRpcRequest): JsonRpcMessage {
  const _meta = params?.['_meta'];
  const reason = 'The server has ended the request.';
  return {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: id, reason, ...(_meta === undefined ? {} : { _meta }) },
  };
}

/** What the SDK sends when the connection ends. */
function endOfStream(id: RequestId, serverInfo: Implementation): JsonRpcResult {
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: serverInfo };
  return { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } };
}

import { MessagePortTransport, type JsonRpcMessage, type RequestId } from '@inpage-mcp/transport';
import { MessageBatches, REVISION_WITH_BATCHES } from './message-batches.js';
import { inWordsOf } from './older-revisions.js';
import { asSpecified, unsendableAnswer } from './protocol-errors.js';
import { refusalOf } from './request-gate.js';
import type { RequestJournal } from './request-journal.js';
import { namedBriefly } from './server-identity.js';
import type { SubscribedUris } from './subscribed-uris.js';

/** Who looks at the messages of a connection. */
export interface ServedPortParts {
  journal: RequestJournal;
  subscribed: SubscribedUris;
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

  override async send(message: JsonRpcMessage): Promise<void> {
    const method =
      'id' in message && message.id !== undefined
        ? this.#parts.journal.methodOf(message.id)
        : undefined;
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
    const refusal = refusalOf(message, this.era, this.#parts.subscribed);
    this.#parts.journal.received(message);
    if (!refusal) this.#parts.subscribed.received(message);
    if ('method' in message && message.method === 'notifications/cancelled') {
      this.#batches.cancel(message.params?.['requestId'] as RequestId);
    }
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
    this.#parts.journal.close();
    this.#parts.onEnd();
  }

  async #sendOrKeep(message: JsonRpcMessage): Promise<void> {
    const isKept = !('method' in message) && this.#batches.keep(message);
    if (!isKept) await super.send(message);
    this.#parts.journal.sent(message);
    this.#parts.subscribed.sent(message);
  }
}

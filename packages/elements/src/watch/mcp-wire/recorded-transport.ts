import type { ClientTransport } from '@inpage-mcp/client';
import { fieldsOf, type Fields } from '../../reading/gate.js';
import { approximateBytes, type WireEntry } from './wire-entry.js';

type Direction = WireEntry['direction'];

/** A message of a transport. */
type WireMessage = Parameters<ClientTransport['send']>[0];

/** A line that can still change. */
export class RecordedEntry implements WireEntry {
  readonly number: number;
  readonly connection: number;
  readonly kind: WireEntry['kind'];
  readonly direction: Direction;
  readonly method: string;
  readonly timeMs: number;
  readonly message: unknown;
  answer: unknown;
  requestNumber: number | undefined;
  durationMs: number | undefined;
  state: WireEntry['state'];
  /** The open requests to which it belongs, by the id of the request. */
  openIn: Map<unknown, RecordedEntry> | undefined;
  readonly #seenAt = performance.now();
  /** The approximate bytes of the message and of the answer; −1 before they are counted. */
  #messageBytes = -1;
  #answerBytes = -1;

  constructor(
    number: number,
    connection: number,
    kind: WireEntry['kind'],
    direction: Direction,
    message: unknown,
  ) {
    this.number = number;
    this.connection = connection;
    this.kind = kind;
    this.direction = direction;
    const { method } = fieldsOf(message);
    this.method = typeof method === 'string' ? method : '';
    this.timeMs = performance.timeOrigin + this.#seenAt;
    this.message = message;
    this.answer = undefined;
    this.requestNumber = undefined;
    this.durationMs = undefined;
    this.state = kind === 'request' ? 'open' : 'none';
    this.openIn = undefined;
  }

  /** Ends the wait for an answer. */
  end(state: WireEntry['state'], answer?: unknown): void {
    this.forget();
    this.state = state;
    this.answer = answer;
    this.durationMs = performance.now() - this.#seenAt;
  }

  /** Stops waiting: a later answer gets a line of its own. */
  forget(): void {
    const { id } = fieldsOf(this.message);
    if (this.openIn?.get(id) === this) this.openIn.delete(id);
    this.openIn = undefined;
  }

  /** Whether {@link sizeBytes} is already counted. */
  get isCounted(): boolean {
    return this.#messageBytes >= 0 && (this.answer === undefined || this.#answerBytes >= 0);
  }

  /** The approximate bytes of the message and its answer. Each is counted once. */
  get sizeBytes(): number {
    if (this.#messageBytes < 0) this.#messageBytes = approximateBytes(this.message);
    if (this.answer === undefined) return this.#messageBytes;
    if (this.#answerBytes < 0) this.#answerBytes = approximateBytes(this.answer);
    return this.#messageBytes + this.#answerBytes;
  }
}

/** The recording of the messages of a connection. */
export interface RecordingSink {
  /** Adds a line. Returns it, so that the answer can be added. */
  add(kind: WireEntry['kind'], direction: Direction, message: unknown): RecordedEntry;
  /** Called when a line was completed. */
  changed(): void;
}

/**
 * The further parts of the transports of the official SDK: over HTTP, each request has a stream of its
 * own, which ends with the signal in the options of `send`.
 */
interface SdkTransport extends ClientTransport {
  readonly hasPerRequestStream?: boolean | undefined;
  readonly sessionId?: string | undefined;
  readonly protocolVersion?: string | undefined;
  setProtocolVersion?(version: string): void;
  setSupportedProtocolVersions?(versions: string[]): void;
  send(message: WireMessage, ...options: unknown[]): Promise<void>;
  onmessage?: ((message: WireMessage, ...extra: unknown[]) => void) | undefined;
}

/**
 * A transport that passes everything on and records it. Requests and their answers become one line. Recording
 * never throws.
 */
export class RecordedTransport implements SdkTransport {
  onmessage?: (message: WireMessage, ...extra: unknown[]) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #inner: SdkTransport;
  readonly #sink: RecordingSink;
  /** Requests without an answer, by their ids. Each side has ids of its own. */
  readonly #open = {
    sent: new Map<unknown, RecordedEntry>(),
    received: new Map<unknown, RecordedEntry>(),
  };
  #isClosed = false;

  constructor(inner: ClientTransport, sink: RecordingSink) {
    this.#inner = inner;
    this.#sink = sink;
    this.#inner.onmessage = (message, ...extra) => {
      this.#addMessage('received', message);
      this.onmessage?.(message, ...extra);
    };
    inner.onclose = () => {
      this.#addClosed();
      this.onclose?.();
    };
    inner.onerror = (error: unknown) => {
      sink.add('problem', 'received', error instanceof Error ? error.message : undefined);
      this.onerror?.(error as Error);
    };
  }

  get hasPerRequestStream(): boolean | undefined {
    return this.#inner.hasPerRequestStream;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get protocolVersion(): string | undefined {
    return this.#inner.protocolVersion;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  async start(): Promise<void> {
    this.#sink.add('opened', 'sent', undefined);
    await this.#inner.start();
  }

  send(message: WireMessage, ...options: unknown[]): Promise<void> {
    const entry = this.#addMessage('sent', message);
    const sent = this.#inner.send(message, ...options);
    sent.catch(() => this.#end(entry?.openIn && entry, 'unsent'));
    return sent;
  }

  async close(): Promise<void> {
    await this.#inner.close();
    this.#addClosed();
  }

  /** Returns the line of a message with a method. */
  #addMessage(direction: Direction, message: unknown): RecordedEntry | undefined {
    const { method, id, params } = fieldsOf(message);
    if (typeof method !== 'string') return this.#addAnswer(direction, message, id);
    const kind = id === undefined ? 'notification' : 'request';
    const entry = this.#sink.add(kind, direction, message);
    const open = this.#open[direction];
    if (kind === 'request') {
      entry.openIn = open;
      open.set(id, entry);
    } else {
      const request = this.#requestOf(direction, method, fieldsOf(params));
      entry.requestNumber = request?.number;
      if (method === 'notifications/cancelled') this.#end(request, 'cancelled');
    }
    return entry;
  }

  /**
   * The open request that a notification is about. For a message that a stream delivers, this is not the
   * request of the stream.
   */
  #requestOf(direction: Direction, method: string, params: Fields): RecordedEntry | undefined {
    const other = this.#open[direction === 'sent' ? 'received' : 'sent'];
    switch (method) {
      case 'notifications/cancelled':
        return this.#open[direction].get(params['requestId']);
      case 'notifications/subscriptions/acknowledged':
        return other.get(fieldsOf(params['_meta'])['io.modelcontextprotocol/subscriptionId']);
      // The SDKs use the id of the request as the token of its progress.
      case 'notifications/progress':
        return other.get(params['progressToken']);
      default:
        return undefined;
    }
  }

  #addAnswer(direction: Direction, message: unknown, id: unknown): undefined {
    const fields = fieldsOf(message);
    const isAnswer = 'result' in fields || 'error' in fields;
    const request = this.#open[direction === 'sent' ? 'received' : 'sent'].get(id);
    if (isAnswer && request) this.#end(request, 'answered', message);
    else this.#sink.add(isAnswer ? 'answer' : 'invalid', direction, message);
  }

  #addClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const requests of Object.values(this.#open))
      for (const entry of requests.values()) entry.end('lost');
    this.#sink.add('closed', 'received', undefined);
  }

  #end(entry: RecordedEntry | undefined, state: WireEntry['state'], answer?: unknown): void {
    if (!entry) return;
    entry.end(state, answer);
    this.#sink.changed();
  }
}

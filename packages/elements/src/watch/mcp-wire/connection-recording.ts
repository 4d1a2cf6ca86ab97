import { fieldsOf, type WireEntry } from './wire-entry.js';

type Direction = WireEntry['direction'];

/** Requests without an answer, by their ids. */
type OpenRequests = Map<unknown, RecordedEntry>;

/** A line that is still written to. */
export class RecordedEntry implements WireEntry {
  readonly number: number;
  readonly connection: number;
  readonly kind: WireEntry['kind'];
  readonly direction: Direction;
  readonly method: string;
  readonly timeMs: number;
  readonly message: unknown;
  answer: unknown;
  durationMs: number | undefined;
  state: WireEntry['state'];
  /** Where it waits for its answer. */
  openIn: OpenRequests | undefined;
  /** The approximate bytes of the message and of the answer, once they are known. */
  messageBytes = -1;
  answerBytes = -1;
  readonly #seenAt: number;

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
    this.#seenAt = performance.now();
    this.timeMs = performance.timeOrigin + this.#seenAt;
    this.message = message;
    this.answer = undefined;
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

  /** Waits no longer: a later answer gets a line of its own. */
  forget(): void {
    const { id } = fieldsOf(this.message);
    if (this.openIn?.get(id) === this) this.openIn.delete(id);
    this.openIn = undefined;
  }
}

/** Where a connection is written down. */
export interface RecordingSink {
  /** Adds a line. Returns it, so that the answer can be added. */
  add(kind: WireEntry['kind'], direction: Direction, message: unknown): RecordedEntry;
  /** A line was completed. */
  changed(): void;
}

/** Writes down one connection: brings requests and answers together. Never throws. */
export class ConnectionRecording {
  readonly #sink: RecordingSink;
  /** Each side has ids of its own. */
  readonly #open: { readonly [direction in Direction]: OpenRequests } = {
    sent: new Map(),
    received: new Map(),
  };
  #isClosed = false;

  constructor(sink: RecordingSink) {
    this.#sink = sink;
  }

  addOpened(): void {
    this.#sink.add('opened', 'sent', undefined);
  }

  addMessage(direction: Direction, message: unknown): void {
    const { method, id, params } = fieldsOf(message);
    if (typeof method !== 'string') return this.#addAnswer(direction, message, id);
    if (id === undefined) {
      this.#sink.add('notification', direction, message);
      if (method === 'notifications/cancelled') {
        this.#end(direction, fieldsOf(params)['requestId'], 'cancelled');
      }
      return;
    }
    const entry = this.#sink.add('request', direction, message);
    entry.openIn = this.#open[direction];
    entry.openIn.set(id, entry);
  }

  /** The transport did not send a message. */
  addUnsent(message: unknown): void {
    const { id } = fieldsOf(message);
    if (this.#open.sent.get(id)?.message === message) this.#end('sent', id, 'unsent');
  }

  addProblem(error: unknown): void {
    const text = error instanceof Error ? error.message : undefined;
    this.#sink.add('problem', 'received', text);
  }

  addClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const requests of Object.values(this.#open)) {
      for (const entry of requests.values()) entry.end('lost');
    }
    this.#sink.add('closed', 'received', undefined);
  }

  #addAnswer(direction: Direction, message: unknown, id: unknown): void {
    const isAnswer = isObject(message) && ('result' in message || 'error' in message);
    const asker = direction === 'sent' ? 'received' : 'sent';
    if (isAnswer && this.#end(asker, id, 'answered', message)) return;
    this.#sink.add(isAnswer ? 'answer' : 'invalid', direction, message);
  }

  /** Ends an open request, if it exists. */
  #end(direction: Direction, id: unknown, state: WireEntry['state'], answer?: unknown): boolean {
    const entry = this.#open[direction].get(id);
    entry?.end(state, answer);
    if (entry) this.#sink.changed();
    return entry !== undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

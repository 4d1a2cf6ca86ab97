import { isJsonRpcMessage, type JsonRpcMessage, type RequestId } from '@inpage-mcp/transport';
import type { Case } from './cases.js';
import { demandOf } from './demands.js';
import { Ledger } from './ledger.js';
import { hasBatches, initializeParams, isModern, modernMeta, type Speech } from './speech.js';
import type { Tally } from './tally.js';
import type { Answer } from './valid-requests.js';

/** Longer than the server gives a read or a tool. */
const DEADLINE_MS = 45_000;

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

/** What guests get when they ask too much: right, whatever was asked. */
const SERVER_BUSY = -32000;

/** A connection under fire: it counts what it is owed, and looks at all that comes. */
export class FuzzedPort {
  readonly speech: Speech;
  readonly #port: MessagePort;
  readonly #tally: Tally;
  readonly #ledger = new Ledger();
  #hasEnded = false;
  /** Only when the revision is agreed on is an array a batch. */
  #takesBatches = false;
  #check: (() => void) | undefined;
  #fences = 0;

  constructor(port: MessagePort, speech: Speech, tally: Tally) {
    this.#port = port;
    this.speech = speech;
    this.#tally = tally;
    port.addEventListener('message', ({ data }) => this.#receive(data));
    port.addEventListener('messageerror', () => tally.fail('shape', 'A message cannot be read.'));
    port.start();
  }

  /** Whether the server has ended it. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get recentIds(): readonly RequestId[] {
    return this.#ledger.ids;
  }

  /** Says what has to be said first, and waits for the answer. */
  async begin(): Promise<void> {
    const method = isModern(this.speech) ? 'server/discover' : 'initialize';
    const params = isModern(this.speech) ? { _meta: modernMeta() } : initializeParams(this.speech);
    const isRight = (answer: Answer): boolean => 'result' in answer;
    const message = { jsonrpc: '2.0', id: 'begin', method, params };
    this.post({ kind: 'begin', values: [], message, right: { id: 'begin', isRight, method } });
    await this.settle();
    this.#takesBatches = hasBatches(this.speech);
    if (!isModern(this.speech)) {
      this.#port.postMessage({ jsonrpc: '2.0', method: 'notifications/initialized' });
    }
  }

  /** Sends a case, and books what is owed for it. */
  post({ message, right, transfer = [] }: Case): void {
    // Before it is transferred, and so empty.
    const demand = demandOf(message, this.#takesBatches);
    try {
      this.#port.postMessage(message, transfer);
    } catch {
      this.#tally.uncloneable += 1;
      return;
    }
    this.#tally.sent += 1;
    this.#ledger.sent(demand, right);
  }

  /**
   * Waits until everything was answered, and for the answer to one more request: by then, whatever
   * came too often has come as well. What is missing after a deadline is a failure.
   */
  async settle(): Promise<void> {
    await this.#until(() => this.#isSettled);
    if (this.#hasEnded) return this.#tally.fail('open', `The server has ended ${this.#name}.`);
    if (!this.#isSettled) this.#failUnanswered();
    for (const id of this.#ledger.streams) this.#cancel(id);
    await this.#fence();
    if (this.#hasEnded) return this.#tally.fail('open', `The server has ended ${this.#name}.`);
    if (this.#ledger.surplus > 0) {
      const text = `${this.#ledger.surplus} answers too many on ${this.#name}.`;
      this.#tally.fail('once', text);
    }
    this.#ledger.clear();
  }

  /** Resolves when the server has ended the connection; false if it does not. */
  async ended(): Promise<boolean> {
    await this.#until(() => this.#hasEnded);
    return this.#hasEnded;
  }

  /** Ends it from here. */
  close(): void {
    this.#port.postMessage(null);
    this.#port.close();
  }

  get #name(): string {
    return `${this.speech.revision} (${this.speech.limits})`;
  }

  /** Guests may get no answer to what is too much and has no id. */
  get #isSettled(): boolean {
    if (this.speech.limits === 'guest') return this.#ledger.missing.length === 0;
    return this.#ledger.isSettled;
  }

  #failUnanswered(): void {
    const { missing, owed } = this.#ledger;
    const ids = missing.slice(0, 5).map((id) => shown(id));
    const text = `${owed} answers are owed on ${this.#name}; requests without any: ${ids.join(', ')}`;
    this.#tally.fail('answered', text);
  }

  #cancel(requestId: RequestId): void {
    this.#ledger.cancel(requestId);
    const params = { requestId, ...(isModern(this.speech) && { _meta: modernMeta() }) };
    this.#port.postMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }

  async #fence(): Promise<void> {
    this.#fences += 1;
    const id = `fence ${this.#fences}`;
    const params = isModern(this.speech) ? { _meta: modernMeta() } : {};
    const message = { jsonrpc: '2.0', id, method: 'nothing/such', params };
    this.#ledger.sent(demandOf(message, this.#takesBatches), undefined);
    this.#port.postMessage(message);
    await this.#until(() => !this.#ledger.missing.includes(id));
    if (!this.#hasEnded && this.#ledger.missing.includes(id))
      this.#tally.fail('answered', `${this.#name} is silent.`);
  }

  /** Resolves when something holds, the connection has ended, or the time is over. */
  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#check?.(), DEADLINE_MS);
      const end = performance.now() + DEADLINE_MS;
      this.#check = () => {
        if (!holds() && !this.#hasEnded && performance.now() < end) return;
        clearTimeout(timer);
        this.#check = undefined;
        resolve();
      };
      this.#check();
    });
  }

  #receive(value: unknown): void {
    if (this.#hasEnded) {
      this.#tally.fail('asked', `${this.#name} goes on after its end: ${shown(value)}`);
    } else if (value === null) {
      this.#hasEnded = true;
    } else if (Array.isArray(value) && this.#takesBatches && value.length > 0) {
      for (const part of value) this.#receiveMessage(part);
    } else {
      this.#receiveMessage(value);
    }
    this.#check?.();
  }

  #receiveMessage(value: unknown): void {
    if (!isJsonRpcMessage(value)) this.#tally.fail('shape', `No message: ${shown(value)}`);
    else if ('method' in value) this.#receiveNotification(value);
    else this.#receiveAnswer(value);
  }

  #receiveNotification(
    message: JsonRpcMessage & { method: string; params?: object | undefined },
  ): void {
    if ('id' in message) return this.#tally.fail('asked', `A request: ${shown(message)}`);
    if (message.method !== ACKNOWLEDGED) return;
    const { _meta } = (message.params ?? {}) as { _meta?: { [key: string]: unknown } };
    this.#came(_meta?.[SUBSCRIPTION_ID] as RequestId, message);
  }

  #receiveAnswer(answer: Answer): void {
    this.#tally.add(this.#tally.codes, 'error' in answer ? `${answer.error.code}` : 'result');
    if (answer.id === undefined) this.#ledger.came(undefined);
    else this.#came(answer.id, answer);
  }

  #came(id: RequestId, message: JsonRpcMessage): void {
    const entry = this.#ledger.came(id);
    const named = `${shown(id)} on ${this.#name}: ${shown(message)}`;
    if (!entry) return this.#tally.fail('asked', `Nobody asked, or not again: ${named}`);
    if (entry.came > entry.sent) this.#tally.fail('once', `Again: ${named}`);
    const { right, isCancelled } = entry;
    // The id of a request that was taken back is free for another.
    if (!right || isCancelled || entry.came > 1 || 'method' in message) return;
    const isBusy = 'error' in message && message.error.code === SERVER_BUSY;
    if (this.speech.limits === 'guest' && isBusy) return;
    if (!right.isRight(message as Answer)) {
      this.#tally.fail('right', `${right.method} on ${this.#name}: ${shown(message)}`);
    }
  }
}

/** The beginning of something, on one line. */
function shown(value: unknown): string {
  try {
    return JSON.stringify(value)?.slice(0, 300) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

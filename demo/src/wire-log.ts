import type { ClientTransport } from '@inpage-mcp/client';
import type { JsonRpcMessage, RequestId } from '@inpage-mcp/transport';

/** One line of the log: a request with its answer, or a notification. */
export interface WireEntry {
  /** Counts up from 1. */
  number: number;
  direction: 'sent' | 'received';
  method: string;
  message: JsonRpcMessage;
  /** The request's answer, once it is there. */
  answer?: JsonRpcMessage;
  /** Milliseconds between request and answer. */
  durationMs?: number;
  /** Whether the request was cancelled: it gets no answer. */
  cancelled?: boolean;
}

/** How many lines are kept; older ones are dropped. */
const MAX_ENTRIES = 500;

/** What went over one connection, newest last. Fires `change` once for all of a frame. */
export class WireLog extends EventTarget {
  #entries: WireEntry[] = [];
  readonly #open = new Map<RequestId, { entry: WireEntry; sentAt: number }>();
  #count = 0;
  #scheduled = false;
  #paused = false;

  get entries(): readonly WireEntry[] {
    return this.#entries;
  }

  /** While paused nothing is added; answers to what is shown still are. */
  get paused(): boolean {
    return this.#paused;
  }

  set paused(paused: boolean) {
    this.#paused = paused;
    this.#schedule();
  }

  clear(): void {
    this.#entries = [];
    this.#schedule();
  }

  /** Takes note of a message. */
  add(direction: WireEntry['direction'], message: JsonRpcMessage): void {
    if ('method' in message) {
      this.#addEntry(direction, message.method, message);
      if (message.method === 'notifications/cancelled') this.#cancel(message.params?.['requestId']);
    } else if (message.id !== undefined) this.#addAnswer(message.id, message);
  }

  #addEntry(direction: WireEntry['direction'], method: string, message: JsonRpcMessage): void {
    if (this.#paused) return;
    this.#count += 1;
    const entry: WireEntry = { number: this.#count, direction, method, message };
    this.#entries = [...this.#entries.slice(1 - MAX_ENTRIES), entry];
    if ('id' in message && message.id !== undefined) {
      this.#open.set(message.id, { entry, sentAt: performance.now() });
    }
    this.#schedule();
  }

  #addAnswer(id: RequestId, answer: JsonRpcMessage): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    open.entry.answer = answer;
    open.entry.durationMs = performance.now() - open.sentAt;
    this.#schedule();
  }

  #cancel(id: unknown): void {
    const open = this.#open.get(id as RequestId);
    if (!open) return;
    this.#open.delete(id as RequestId);
    open.entry.cancelled = true;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // A timer, not a frame: tabs in the background draw none.
    setTimeout(() => {
      this.#scheduled = false;
      this.dispatchEvent(new Event('change'));
    }, 16);
  }
}

/** A transport that writes down what passes through. */
export class WireTap implements ClientTransport {
  onmessage?: (message: JsonRpcMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #inner: ClientTransport;
  readonly #log: WireLog;

  constructor(inner: ClientTransport, log: WireLog) {
    this.#inner = inner;
    this.#log = log;
    inner.onmessage = (message) => {
      log.add('received', message);
      this.onmessage?.(message);
    };
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
  }

  async start(): Promise<void> {
    await this.#inner.start();
  }

  async send(message: JsonRpcMessage): Promise<void> {
    this.#log.add('sent', message);
    await this.#inner.send(message);
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }
}

import type { ClientTransport } from '@inpage-mcp/client';
import { approximateBytes } from './approximate-bytes.js';
import { ConnectionRecording, RecordedEntry } from './connection-recording.js';
import { RecordedTransport } from './recorded-transport.js';
import type { WireEntry } from './wire-entry.js';

/** How much a {@link WireRecorder} keeps. */
export interface WireRecorderOptions {
  /** Lines; the oldest are dropped. Default: 10,000. */
  maxEntries?: number | undefined;
  /**
   * About how many bytes of messages; the oldest lines are dropped. The newest line always stays.
   * Checked ten times a second. Default: 67,108,864 (64 MiB).
   */
  maxBytes?: number | undefined;
}

/** The time between two `change` events, in milliseconds. */
const CHANGE_INTERVAL_MS = 100;

/** How long the sizes of new messages are counted at a time, in milliseconds. */
const SIZING_MS = 8;

/** How many dropped lines wait at the start of the array for their removal. */
const MAX_HOLES = 1_024;

/**
 * Records the messages of connections for `<mcp-wire>`, which this class does not need. It keeps
 * references to the messages, and copies or serializes nothing: recording adds about a microsecond
 * to a message. Bounded by a number of lines and by approximate bytes.
 *
 * @fires change - Lines were added or completed, or the recording was cleared. At most ten times a
 *   second.
 */
export class WireRecorder extends EventTarget {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  /** Before `#start`, lines have been dropped. */
  #entries: (RecordedEntry | undefined)[] = [];
  #start = 0;
  #snapshot: readonly WireEntry[] | undefined;
  #connections = 0;
  #total = 0;
  #dropped = 0;
  #bytes = 0;
  #isScheduled = false;

  constructor({ maxEntries = 10_000, maxBytes = 64 * 1024 * 1024 }: WireRecorderOptions = {}) {
    super();
    this.#maxEntries = Math.max(1, maxEntries);
    this.#maxBytes = maxBytes;
  }

  /**
   * A transport that records what passes through another, for `connectClient`. The other transport
   * must not be started yet, and must not be used directly. Wrap each transport that a reconnecting
   * client opens: every call starts a new connection of the recording.
   */
  wrap(transport: ClientTransport): ClientTransport {
    this.#connections += 1;
    const connection = this.#connections;
    const recording = new ConnectionRecording({
      add: (kind, direction, message) => {
        const entry = new RecordedEntry(this.#total + 1, connection, kind, direction, message);
        this.#append(entry);
        return entry;
      },
      changed: () => this.#schedule(),
    });
    return new RecordedTransport(transport, recording);
  }

  /** The lines that are kept, the oldest first. The array never changes; its lines are completed. */
  get entries(): readonly WireEntry[] {
    this.#snapshot ??= this.#entries.slice(this.#start) as RecordedEntry[];
    return this.#snapshot;
  }

  /** How many lines were recorded so far, including dropped and cleared ones. */
  get total(): number {
    return this.#total;
  }

  /** How many lines were dropped because the recording was full. */
  get dropped(): number {
    return this.#dropped;
  }

  /** About how many bytes the kept messages have, as of the last `change` event. */
  get approximateBytes(): number {
    return this.#bytes;
  }

  /** About how long the message of a line and its answer are as JSON. Counted once. */
  sizeOf(entry: WireEntry): number {
    return entry instanceof RecordedEntry ? this.#measure(entry) : 0;
  }

  /** Forgets all lines. A later answer to a forgotten request gets a line of its own. */
  clear(): void {
    for (const entry of this.#entries) entry?.forget();
    this.#entries = [];
    this.#start = 0;
    this.#bytes = 0;
    this.#dropped = 0;
    this.#snapshot = undefined;
    this.#schedule();
  }

  /**
   * All messages as JSON Lines (`application/jsonl`): each line has `time`, `connection`, `direction`
   * and `message`. Works in slices of 8 ms.
   *
   * @param entries Default: all lines that are kept.
   * @throws The reason of the signal.
   */
  async toJsonLines(
    entries: readonly WireEntry[] = this.entries,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Blob> {
    const { jsonLinesOf } = await import('./json-lines.js');
    return await jsonLinesOf(entries, signal);
  }

  #append(entry: RecordedEntry): void {
    this.#total = entry.number;
    this.#entries.push(entry);
    this.#snapshot = undefined;
    if (this.#count > this.#maxEntries) this.#dropOldest();
    this.#schedule();
  }

  get #count(): number {
    return this.#entries.length - this.#start;
  }

  #dropOldest(): void {
    const oldest = this.#entries[this.#start]!;
    oldest.forget();
    this.#bytes -= sizeSoFar(oldest);
    this.#dropped += 1;
    this.#entries[this.#start] = undefined;
    this.#start += 1;
    if (this.#start < MAX_HOLES || this.#start * 2 < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#start);
    this.#start = 0;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      this.#limitBytes();
      this.dispatchEvent(new Event('change'));
    }, CHANGE_INTERVAL_MS);
  }

  /** Counts the sizes of new messages, and drops lines until the rest is small enough. */
  #limitBytes(): void {
    const endMs = performance.now() + SIZING_MS;
    for (let index = this.#start; index < this.#entries.length; index += 1) {
      const entry = this.#entries[index]!;
      if (isMeasured(entry)) continue;
      if (performance.now() > endMs) {
        this.#schedule();
        break;
      }
      this.#measure(entry);
    }
    while (this.#bytes > this.#maxBytes && this.#count > 1) this.#dropOldest();
  }

  #measure(entry: RecordedEntry): number {
    const before = sizeSoFar(entry);
    if (entry.messageBytes < 0) entry.messageBytes = approximateBytes(entry.message);
    if (entry.answer !== undefined && entry.answerBytes < 0)
      entry.answerBytes = approximateBytes(entry.answer);
    const size = sizeSoFar(entry);
    if (this.#keeps(entry)) this.#bytes += size - before;
    return size;
  }

  #keeps(entry: RecordedEntry): boolean {
    const first = this.#entries[this.#start];
    return first !== undefined && entry.number >= first.number;
  }
}

function isMeasured({ messageBytes, answer, answerBytes }: RecordedEntry): boolean {
  return messageBytes >= 0 && (answer === undefined || answerBytes >= 0);
}

function sizeSoFar({ messageBytes, answerBytes }: RecordedEntry): number {
  return Math.max(0, messageBytes) + Math.max(0, answerBytes);
}

import type { ClientTransport } from '@inpage-mcp/client';
import { describeSpecial, writeJson } from '../../base/text/json-text.js';
import { Slices } from '../../reading/slices.js';
import { RecordedEntry, RecordedTransport } from './recorded-transport.js';
import type { WireEntry } from './wire-entry.js';

/** The bounds of a {@link WireRecorder}. */
export interface WireRecorderOptions {
  /** The maximum number of lines; the oldest are dropped. Default: 10,000. */
  maxEntries?: number | undefined;
  /**
   * The approximate maximum size of the messages, in bytes; the oldest lines are dropped. The newest line
   * always stays. Checked ten times a second. Default: 67,108,864 (64 MiB).
   */
  maxBytes?: number | undefined;
}

/** The time between two `change` events, in milliseconds. */
const CHANGE_INTERVAL_MS = 100;

/** The maximum time for which the sizes of new messages are counted at a time, in milliseconds. */
const COUNTING_MS = 8;

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
  #entries: RecordedEntry[] = [];
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
   * A transport that records the messages of another one, for `connectClient`. The other transport must not
   * be started yet, and must not be used directly. Wrap each transport that a reconnecting client opens:
   * every call starts a new connection of the recording.
   */
  wrap(transport: ClientTransport): ClientTransport {
    this.#connections += 1;
    const connection = this.#connections;
    return new RecordedTransport(transport, {
      add: (kind, direction, message) => {
        this.#total += 1;
        const entry = new RecordedEntry(this.#total, connection, kind, direction, message);
        this.#entries.push(entry);
        if (this.#entries.length > this.#maxEntries) this.#drop(1);
        this.#snapshot = undefined;
        this.#schedule();
        return entry;
      },
      changed: () => this.#schedule(),
    });
  }

  /** The lines that are kept, the oldest first. The array never changes; its lines are completed. */
  get entries(): readonly WireEntry[] {
    this.#snapshot ??= [...this.#entries];
    return this.#snapshot;
  }

  /** The number of lines that were recorded so far, including dropped and cleared ones. */
  get total(): number {
    return this.#total;
  }

  /** The number of lines that were dropped because the recording was full. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The approximate size of the kept messages in bytes, in the state of the last `change` event. */
  get approximateBytes(): number {
    return this.#bytes;
  }

  /** The approximate length of the message of a line and its answer as JSON. Counted once. */
  sizeOf(entry: WireEntry): number {
    return entry instanceof RecordedEntry ? entry.sizeBytes : 0;
  }

  /** Forgets all lines. A later answer to a forgotten request gets a line of its own. */
  clear(): void {
    this.#drop(this.#entries.length);
    this.#bytes = 0;
    this.#dropped = 0;
    this.#schedule();
  }

  /**
   * All messages as JSON Lines (`application/jsonl`): each line has `time`, `connection`, `direction`
   * and `message`. Works in slices of 8 ms.
   *
   * @param entries The lines. Default: all lines that are kept.
   * @throws The reason of the signal.
   */
  async toJsonLines(
    entries: readonly WireEntry[] = this.entries,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Blob> {
    return await jsonLinesOf(entries, signal);
  }

  /** Drops the oldest lines. */
  #drop(count: number): void {
    // `shift()` moves no entries; `splice()` would move them for every message.
    for (let left = count; left > 0; left -= 1) this.#entries.shift()!.forget();
    this.#dropped += count;
    this.#snapshot = undefined;
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

  /** Counts from the newest line to the oldest one that fits into the limit, and drops the older ones. */
  #limitBytes(): void {
    const endMs = performance.now() + COUNTING_MS;
    this.#bytes = 0;
    for (let index = this.#entries.length - 1; index >= 0; index -= 1) {
      const entry = this.#entries[index]!;
      // The rest is counted the next time.
      if (!entry.isCounted && performance.now() > endMs) return this.#schedule();
      const bytes = this.#bytes + entry.sizeBytes;
      if (bytes > this.#maxBytes && this.#bytes > 0) return this.#drop(index + 1);
      this.#bytes = bytes;
    }
  }
}

/**
 * The maximum number of characters that are written of a message that JSON cannot represent, such as one with
 * a cycle.
 */
const MAX_WRITTEN = 1_000_000;

/** All messages as JSON Lines. Rejects with the reason of the signal. */
async function jsonLinesOf(entries: readonly WireEntry[], signal: AbortSignal): Promise<Blob> {
  const slices = new Slices(signal, () => undefined);
  const lines: string[] = [];
  for (const entry of entries) {
    await slices.next();
    for (const line of linesOf(entry)) lines.push(`${line}\n`);
  }
  return new Blob(lines, { type: 'application/jsonl' });
}

/** The lines for a message or its answer; also for the opening and the end of a connection. */
function linesOf(entry: WireEntry): string[] {
  const { kind, connection, direction, timeMs, durationMs, message, answer } = entry;
  const isMessage = kind !== 'opened' && kind !== 'closed' && kind !== 'problem';
  const first = isMessage
    ? { time: isoOf(timeMs), connection, direction, message }
    : { time: isoOf(timeMs), connection, [kind]: message ?? true };
  if (answer === undefined) return [jsonOf(first)];
  const time = isoOf(timeMs + (durationMs ?? 0));
  const other = direction === 'sent' ? 'received' : 'sent';
  return [jsonOf(first), jsonOf({ time, connection, direction: other, message: answer })];
}

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString();

/**
 * A value as JSON. Values that JSON does not have are described, because structured clone carries more than
 * JSON.
 */
export function jsonOf(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, (_, part: unknown) => describeSpecial(part) ?? part, indent);
  } catch {
    // The value has a cycle, or is nested too deep.
    return JSON.stringify(writeJson(value, MAX_WRITTEN).text);
  }
}

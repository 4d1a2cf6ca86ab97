import { Slices } from '../../reading/slices.js';
import { nameOfEntry, subjectOf } from './summary.js';
import type { WireEntry } from './wire-entry.js';

/** How many values of a message are searched, and how many characters of them all. */
const MAX_VALUES = 20_000;
const MAX_CHARACTERS = 1_000_000;

/** What is known of a line. */
interface Finding {
  answer: unknown;
  isMatch: boolean;
}

/**
 * Finds the lines whose messages contain a text, in slices. Of a large message, the first 20,000
 * values and the first million characters are searched.
 */
export class ContentSearch {
  readonly #onfound: () => void;
  readonly #findings = new Map<number, Finding>();
  #needle = '';
  #running: AbortController | undefined;

  /** @param onfound Called when more is known. */
  constructor(onfound: () => void) {
    this.#onfound = onfound;
  }

  /** Whether lines have yet to be searched. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whether a line is known to match. */
  matches({ number }: WireEntry): boolean {
    return this.#findings.get(number)?.isMatch === true;
  }

  /** Searches the lines that are not known yet. An empty text matches nothing. */
  search(text: string, entries: readonly WireEntry[]): void {
    const needle = text.toLowerCase();
    if (needle !== this.#needle) this.stop();
    this.#needle = needle;
    if (needle === '' || this.#running) return;
    const unknown = entries.filter((entry) => !this.#isKnown(entry));
    if (unknown.length > 0) void this.#run(needle, unknown);
  }

  /** Forgets everything. */
  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#findings.clear();
  }

  /** Forgets lines that are no longer kept. */
  forgetBefore(number: number): void {
    for (const known of this.#findings.keys()) {
      if (known >= number) break;
      this.#findings.delete(known);
    }
  }

  #isKnown({ number, answer }: WireEntry): boolean {
    const finding = this.#findings.get(number);
    return finding !== undefined && (finding.isMatch || finding.answer === answer);
  }

  async #run(needle: string, entries: readonly WireEntry[]): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    const slices = new Slices(running.signal, this.#onfound);
    try {
      for (const entry of entries) {
        await slices.next();
        this.#findings.set(entry.number, { answer: entry.answer, isMatch: isMatch(entry, needle) });
      }
    } catch {
      // Another search has begun.
      return;
    }
    this.#running = undefined;
    this.#onfound();
  }
}

/** Whether a line or its messages contain a text in lower case. */
function isMatch(entry: WireEntry, needle: string): boolean {
  const line = `${nameOfEntry(entry)} ${subjectOf(entry)}`.toLowerCase();
  return line.includes(needle) || contains(entry.message, needle) || contains(entry.answer, needle);
}

/** Whether a string in a value, or the name of a field, contains a text in lower case. */
function contains(value: unknown, needle: string): boolean {
  const rest: unknown[] = [value];
  let room = MAX_CHARACTERS;
  for (let visited = 0; rest.length > 0 && visited < MAX_VALUES && room > 0; visited += 1) {
    const next = rest.pop();
    if (typeof next === 'object' && next !== null) pushParts(next, rest);
    else if (typeof next === 'string' || typeof next === 'number') {
      const text = String(next).slice(0, room);
      room -= text.length;
      if (text.toLowerCase().includes(needle)) return true;
    }
  }
  return false;
}

function pushParts(value: object, parts: unknown[]): void {
  if (ArrayBuffer.isView(value)) return;
  if (Array.isArray(value)) {
    const length = Math.min(value.length, MAX_VALUES - parts.length);
    for (let index = 0; index < length; index += 1) parts.push(value[index]);
    return;
  }
  for (const key in value) {
    if (parts.length >= MAX_VALUES) return;
    parts.push(key, (value as { [key: string]: unknown })[key]);
  }
}

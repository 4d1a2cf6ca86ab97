import type { Slices } from '../../../reading/slices.js';
import { JsonIndex, KIND, type JsonError } from './json-index.js';

/** How many nodes are kept: 37 bytes each. */
const MAX_NODES = 1_000_000;

/** How many nodes are read between two looks at the clock. */
const NODES_PER_STEP = 500;

/** A JSON text, as far as it could be read. */
export interface JsonText {
  index: JsonIndex;
  /** Where the text is not JSON. */
  error: JsonError | undefined;
  /** Whether the text goes on after what was read. */
  isCut: boolean;
}

const TOKEN = {
  space: /[ \t\n\r]*/y,
  spaceInLine: /[ \t\r]*/y,
  number: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y,
  word: /true|false|null/y,
  hex: /[0-9a-fA-F]{4}/y,
  /** Of a string, what is neither a quote, nor an escape, nor a control character. */
  plain: /[^"\\\u0000-\u001f]*/y,
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** How many containers are closed between two looks at the clock. */
const CLOSINGS_PER_STEP = 1_000;

/** The text is not JSON at a place, or not any more. */
class NotJson extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super('This is not JSON.');
    this.offset = offset;
  }
}

/**
 * Reads JSON (RFC 8259) without recursion, so that no depth is too deep.
 *
 * @param isCut Whether the text is only a first part: its end is no error then.
 */
export async function readJson(text: string, isCut: boolean, slices: Slices): Promise<JsonText> {
  const index = new JsonIndex(text);
  const reader = new Reader(index, -1, 0, TOKEN.space);
  try {
    await readAll(reader, slices);
    const end = reader.skipSpace();
    if (!isCut && !reader.isFull && end < text.length) throw new NotJson(end);
    return { index, error: undefined, isCut: isCut || reader.isFull };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    reader.closeAll();
    const isEnd = isCut && error.offset >= text.length;
    return { index, error: isEnd ? undefined : placeOf(text, error.offset), isCut };
  }
}

/** Reads JSON Lines: a value in each line. A line that is not JSON is kept as its text. */
export async function readJsonLines(
  text: string,
  isCut: boolean,
  slices: Slices,
): Promise<JsonText> {
  const index = new JsonIndex(text);
  index.add({ kind: KIND.lines, parent: -1, start: 0, keyStart: 0, keyEnd: 0 });
  let start = 0;
  while (start < text.length && index.count < MAX_NODES) {
    await slices.next();
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    await readLine(index, start, end, slices);
    start = end + 1;
  }
  index.close(0, text.length);
  return { index, error: undefined, isCut: isCut || start < text.length };
}

async function readLine(
  index: JsonIndex,
  start: number,
  end: number,
  slices: Slices,
): Promise<void> {
  const reader = new Reader(index, 0, start, TOKEN.spaceInLine);
  if (reader.skipSpace() >= end) return;
  const node = index.count;
  try {
    await readAll(reader, slices);
    if (!reader.isFull && reader.skipSpace() < end) throw new NotJson(end);
    reader.closeAll();
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    if (index.count > node) index.remove(node);
    index.add({ kind: KIND.broken, parent: 0, start, keyStart: 0, keyEnd: 0 });
    index.close(node, end);
  }
}

async function readAll(reader: Reader, slices: Slices): Promise<void> {
  for (let nodes = 0; reader.readNode(); nodes += 1)
    if (nodes % NODES_PER_STEP === 0) await slices.next();
}

function placeOf(text: string, offset: number): JsonError {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { offset, line, column: offset - start + 1 };
}

/** Reads one value with all that is in it, a node at a time. */
class Reader {
  readonly #index: JsonIndex;
  readonly #text: string;
  readonly #top: number;
  readonly #space: RegExp;
  /** The container that is open; the top where none is. */
  #parent: number;
  #at: number;
  #isDone = false;
  /** Whether a value was read, and what is after it was not. */
  #isAfterValue = false;

  constructor(index: JsonIndex, top: number, start: number, space: RegExp) {
    this.#index = index;
    this.#text = index.text;
    this.#top = top;
    this.#parent = top;
    this.#at = start;
    this.#space = space;
  }

  /** Whether reading stopped because there are too many nodes. */
  get isFull(): boolean {
    return !this.#isDone && this.#index.count >= MAX_NODES;
  }

  /** Reads the next node. Returns false after the last one, and when there are too many. */
  readNode(): boolean {
    if (this.#isDone || this.#index.count >= MAX_NODES) {
      this.closeAll();
      return false;
    }
    if (this.#isAfterValue) {
      this.#readAfterValue();
      return true;
    }
    let keyStart = 0;
    let keyEnd = 0;
    if (this.#parent !== this.#top && this.#index.kindOf(this.#parent) === KIND.object) {
      keyStart = this.skipSpace();
      this.#readString();
      keyEnd = this.#at;
      this.#expect(':');
    }
    this.#readValue(keyStart, keyEnd);
    return true;
  }

  /** Moves after white space, and says where that is. */
  skipSpace(): number {
    this.#space.lastIndex = this.#at;
    this.#space.test(this.#text);
    this.#at = Math.max(this.#at, this.#space.lastIndex);
    return this.#at;
  }

  /** Ends what is still open. */
  closeAll(): void {
    for (; this.#parent !== this.#top; this.#parent = this.#index.parentOf(this.#parent))
      this.#index.close(this.#parent, this.#at);
  }

  #readValue(keyStart: number, keyEnd: number): void {
    const start = this.skipSpace();
    const parent = this.#parent;
    const add = (kind: number): number =>
      this.#index.add({ kind, parent, start, keyStart, keyEnd });
    const first = this.#text[start];
    if (first === '{' || first === '[') {
      this.#parent = add(first === '{' ? KIND.object : KIND.array);
      this.#at += 1;
      if (this.#text[this.skipSpace()] !== closingOf(first)) return;
      this.#endContainer();
    } else {
      const kind = this.#readLeaf(first);
      this.#index.close(add(kind), this.#at);
    }
    this.#readAfterValue();
  }

  #readLeaf(first: string | undefined): number {
    if (first === '"') {
      this.#readString();
      return KIND.string;
    }
    if (first === 't' || first === 'f' || first === 'n') {
      this.#match(TOKEN.word);
      return first === 'n' ? KIND.null : KIND.boolean;
    }
    this.#match(TOKEN.number);
    return KIND.number;
  }

  /** A comma, or the ends of all that ends here. */
  #readAfterValue(): void {
    this.#isAfterValue = true;
    for (let closings = 0; this.#parent !== this.#top; closings += 1) {
      if (closings === CLOSINGS_PER_STEP) return;
      const next = this.#text[this.skipSpace()];
      const isObject = this.#index.kindOf(this.#parent) === KIND.object;
      if (next === ',') {
        this.#at += 1;
        this.#isAfterValue = false;
        return;
      }
      if (next !== closingOf(isObject ? '{' : '[')) throw new NotJson(this.#at);
      this.#endContainer();
    }
    this.#isDone = true;
  }

  #endContainer(): void {
    this.#at += 1;
    this.#index.close(this.#parent, this.#at);
    this.#parent = this.#index.parentOf(this.#parent);
  }

  #readString(): void {
    if (this.#text.charCodeAt(this.#at) !== QUOTE) throw new NotJson(this.#at);
    this.#at += 1;
    for (;;) {
      this.#match(TOKEN.plain);
      const code = this.#text.charCodeAt(this.#at);
      // A control character, or the end of the text, which is not a number.
      if (code !== QUOTE && code !== BACKSLASH) throw new NotJson(this.#at);
      if (code === BACKSLASH) this.#readEscape();
      this.#at += 1;
      if (code === QUOTE) return;
    }
  }

  /** Moves to the last character of an escape. */
  #readEscape(): void {
    const letter = this.#text[this.#at + 1];
    if (letter === undefined) throw new NotJson(this.#text.length);
    if (!'"\\/bfnrtu'.includes(letter)) throw new NotJson(this.#at);
    this.#at += 1;
    if (letter !== 'u') return;
    this.#at += 1;
    this.#match(TOKEN.hex);
    this.#at -= 1;
  }

  #match(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    const matches = pattern.test(this.#text);
    // Half a word or number at the end may go on after it.
    if (!matches)
      throw new NotJson(this.#at + 8 > this.#text.length ? this.#text.length : this.#at);
    this.#at = pattern.lastIndex;
  }

  #expect(character: string): void {
    if (this.#text[this.skipSpace()] !== character) throw new NotJson(this.#at);
    this.#at += 1;
  }
}

const closingOf = (opening: string): string => (opening === '{' ? '}' : ']');

import type { Slices } from '../../../reading/slices.js';
import type { CodeRows } from './code-rows.js';
import type { LineParser, LineState, Token } from './line-parser.js';

/** A state is kept for the beginning of each block of so many lines. */
const BLOCK = 64;

/**
 * How many lines are read to know the state at a place far below. Beyond that, the parser begins
 * afresh: a comment that began far above may be taken for code.
 */
const MAX_LINES_AHEAD = 20_000;

/** How much of a line a parser is given, in UTF-16 code units. */
const MAX_LINE = 2_048;

/** How many lines keep their tokens. */
const MAX_KEPT = 2_000;

/** The tokens of the lines in sight, read when they are needed. */
export class CodeTokens {
  readonly #rows: CodeRows;
  readonly #parser: LineParser;
  readonly #states = new Map<number, LineState>();
  readonly #tokens = new Map<number, readonly Token[]>();

  constructor(rows: CodeRows, parser: LineParser) {
    this.#rows = rows;
    this.#parser = parser;
    this.#states.set(0, parser.start());
  }

  /** The tokens of a line, as soon as they were read. */
  of(line: number): readonly Token[] | undefined {
    return this.#tokens.get(line);
  }

  /** Whether the tokens of all these lines were read. */
  has(first: number, end: number): boolean {
    for (let line = first; line < end; line += 1) if (!this.#tokens.has(line)) return false;
    return true;
  }

  /** Reads the tokens of lines. */
  async read(first: number, end: number, slices: Slices): Promise<void> {
    if (this.#tokens.size > MAX_KEPT) this.#tokens.clear();
    let block = this.#knownBlock(Math.floor(first / BLOCK));
    const state = this.#parser.copy(this.#states.get(block)!);
    for (let line = block * BLOCK; line < end; line += 1) {
      await slices.next();
      if (line % BLOCK === 0) {
        block = line / BLOCK;
        if (!this.#states.has(block)) this.#states.set(block, this.#parser.copy(state));
      }
      const tokens = this.#parser.tokens(this.#rows.line(line, MAX_LINE), state);
      if (line >= first) this.#tokens.set(line, tokens);
    }
  }

  /** The last block up to one whose state is known; else a guess for that block. */
  #knownBlock(block: number): number {
    const lowest = Math.max(0, block - MAX_LINES_AHEAD / BLOCK);
    for (let known = block; known >= lowest; known -= 1) if (this.#states.has(known)) return known;
    this.#states.set(block, this.#parser.start());
    return block;
  }
}

import { StringStream, type StreamParser } from '@codemirror/streamparser';
import { tokenClass } from './tokens.js';

/** A piece of a line in one colour. */
export interface Token {
  /** Where it ends in the line, in UTF-16 code units. */
  end: number;
  /** The class of its colour; '' for none. */
  className: string;
}

/** How much of a line is looked at: the time of some patterns grows with the square of the length. */
const MAX_LINE = 2_048;

/** How long a line may take, in milliseconds. */
const MAX_LINE_MS = 10;

/** How often a parser may read nothing before it is taken to be stuck. */
const MAX_EMPTY_TOKENS = 20;

const TAB_SIZE = 4;
const INDENT_UNIT = 2;

/** The state of a language at the beginning of a line. */
export type LineState = object;

/** Reads the tokens of lines, one line after the other, with a stream parser of CodeMirror. */
export class LineParser {
  readonly #parser: StreamParser<unknown>;

  constructor(parser: StreamParser<unknown>) {
    this.#parser = parser;
  }

  /** The state at the beginning of a text. */
  start(): LineState {
    return this.#parser.startState?.(INDENT_UNIT) ?? {};
  }

  copy(state: LineState): LineState {
    if (this.#parser.copyState) return this.#parser.copyState(state) as LineState;
    const entries = Object.entries(state).map(([key, value]: [string, unknown]) => [
      key,
      Array.isArray(value) ? value.slice() : value,
    ]);
    return Object.fromEntries(entries) as LineState;
  }

  /**
   * The tokens of a line without its line break, which moves the state to the next line. What is
   * after the last token has no colour. A line that the parser fails at has none at all.
   */
  tokens(line: string, state: LineState): Token[] {
    const stream = new StringStream(line.slice(0, MAX_LINE), TAB_SIZE, INDENT_UNIT);
    const tokens: Token[] = [];
    try {
      if (stream.eol()) this.#parser.blankLine?.(state, INDENT_UNIT);
      else this.#read(stream, state, tokens);
    } catch {
      // What a hostile text does to a parser is no reason not to show the text.
      return [];
    }
    return tokens;
  }

  #read(stream: StringStream, state: LineState, tokens: Token[]): void {
    const deadlineMs = performance.now() + MAX_LINE_MS;
    let empty = 0;
    while (!stream.eol() && performance.now() < deadlineMs) {
      stream.start = stream.pos;
      const className = tokenClass(this.#parser.token(stream, state));
      if (stream.pos <= stream.start) {
        empty += 1;
        if (empty > MAX_EMPTY_TOKENS) return;
        continue;
      }
      empty = 0;
      const last = tokens.at(-1);
      if (last?.className === className) last.end = stream.pos;
      else tokens.push({ end: stream.pos, className });
    }
  }
}

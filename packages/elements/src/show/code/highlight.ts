import { StringStream, type StreamParser } from '@codemirror/streamparser';
import { loadLanguage } from './languages.js';
import { tokenClass } from './tokens.js';

export { tokenStyles } from './tokens.js';

/**
 * The length of the part of a line that is parsed, because the time of some patterns grows with the square of
 * the length.
 */
const MAX_LINE = 2_048;

/** The maximum time for one piece of code, in milliseconds; the rest of it stays without colours. */
const MAX_PIECE_MS = 20;

/**
 * The number of characters of a piece that get colours regardless of the time, because a busy machine may
 * stop the work for longer.
 */
const MIN_PIECE = MAX_LINE;

/** The number of times that a parser may read nothing before it counts as stuck. */
const MAX_EMPTY_TOKENS = 20;

const TAB_SIZE = 4;
const INDENT_UNIT = 2;

/** Reads code line by line with a stream parser of CodeMirror, and makes nodes from it. */
export class Highlighter {
  readonly #parser: StreamParser<unknown>;
  readonly #state: unknown;
  #deadlineMs = 0;
  #mustRead = 0;

  /**
   * Loads a language.
   *
   * @param name The name as in Markdown, such as `ts` or `python`. Resolves with `undefined` for an unknown
   *   one.
   */
  static async of(name: string): Promise<Highlighter | undefined> {
    const parser = await loadLanguage(name);
    return parser && new Highlighter(parser);
  }

  private constructor(parser: StreamParser<unknown>) {
    this.#parser = parser;
    this.#state = parser.startState?.(INDENT_UNIT) ?? {};
  }

  /** Starts a piece. Must be called before the lines of each piece, which share a time limit. */
  startPiece(): void {
    this.#deadlineMs = performance.now() + MAX_PIECE_MS;
    this.#mustRead = MIN_PIECE;
  }

  /** Appends the next line: text nodes, and spans with the classes of tokens.ts. */
  appendLine(parent: Node, line: string): void {
    let start = 0;
    for (const { end, className } of this.#tokensOf(line)) {
      const text = document.createTextNode(line.slice(start, end));
      start = end;
      if (!className) {
        parent.appendChild(text);
        continue;
      }
      const span = document.createElement('span');
      span.className = className;
      span.append(text);
      parent.appendChild(span);
    }
    if (start < line.length) parent.appendChild(document.createTextNode(line.slice(start)));
  }

  /**
   * The tokens of a line. The text after the last one has no colour, nor has a line on which the parser
   * fails.
   */
  #tokensOf(line: string): readonly { end: number; className: string }[] {
    const stream = new StringStream(line.slice(0, MAX_LINE), TAB_SIZE, INDENT_UNIT);
    const tokens: { end: number; className: string }[] = [];
    let empty = 0;
    try {
      if (stream.eol()) this.#parser.blankLine?.(this.#state, INDENT_UNIT);
      while (!stream.eol() && empty <= MAX_EMPTY_TOKENS && this.#mayRead(stream.pos)) {
        stream.start = stream.pos;
        const className = tokenClass(this.#parser.token(stream, this.#state));
        const last = tokens.at(-1);
        empty = stream.pos <= stream.start ? empty + 1 : 0;
        if (empty > 0) continue;
        if (last?.className === className) last.end = stream.pos;
        else tokens.push({ end: stream.pos, className });
      }
    } catch {
      // A text that makes the parser fail is still shown.
      return [];
    } finally {
      this.#mustRead -= line.length + 1;
    }
    return tokens;
  }

  /** Whether parsing may continue at this position of a line. */
  #mayRead(position: number): boolean {
    return position < this.#mustRead || performance.now() < this.#deadlineMs;
  }
}

/** A block of code as nodes; `undefined` for an unknown language. Lines that take too long have no colours. */
export async function highlight(code: string, language: string): Promise<Node | undefined> {
  const highlighter = await Highlighter.of(language);
  if (!highlighter) return undefined;
  const fragment = document.createDocumentFragment();
  highlighter.startPiece();
  for (const [index, line] of code.split('\n').entries()) {
    if (index > 0) fragment.append('\n');
    highlighter.appendLine(fragment, line);
  }
  return fragment;
}

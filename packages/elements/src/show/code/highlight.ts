import { StringStream, type StreamParser } from '@codemirror/streamparser';
import { loadLanguage } from './languages.js';
import { tokenClass } from './tokens.js';

export { tokenStyles } from './tokens.js';

/** The part of a line that is looked at: the time of some patterns grows with the square of the length. */
const MAX_LINE = 2_048;

/** How long one piece of code may take, in milliseconds; the rest of it stays without colours. */
const MAX_PIECE_MS = 20;

/** The characters of a piece that get colours however long it takes: a busy machine stops us for longer. */
const MIN_PIECE = MAX_LINE;

/** How often a parser may read nothing before it is taken to be stuck. */
const MAX_EMPTY_TOKENS = 20;

const TAB_SIZE = 4;
const INDENT_UNIT = 2;

/** Reads code line by line with a stream parser of CodeMirror, and makes nodes of it. */
export class Highlighter {
  readonly #parser: StreamParser<unknown>;
  readonly #state: unknown;
  #deadlineMs = 0;
  #mustRead = 0;

  /**
   * Loads a language.
   *
   * @param name As in Markdown, such as `ts` or `python`. Of one that is not known: `undefined`.
   */
  static async of(name: string): Promise<Highlighter | undefined> {
    const parser = await loadLanguage(name);
    return parser && new Highlighter(parser);
  }

  private constructor(parser: StreamParser<unknown>) {
    this.#parser = parser;
    this.#state = parser.startState?.(INDENT_UNIT) ?? {};
  }

  /** To be called before the lines of each piece, which share a limit of time. */
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

  /** The tokens of a line. The text after the last one has no colour, nor a line that the parser fails at. */
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
      // What a hostile text does to a parser is no reason not to show the text.
      return [];
    } finally {
      this.#mustRead -= line.length + 1;
    }
    return tokens;
  }

  /** Whether the piece may take longer, at a place of a line. */
  #mayRead(position: number): boolean {
    return position < this.#mustRead || performance.now() < this.#deadlineMs;
  }
}

/**
 * A block of code as nodes; `undefined` for a language that is not known. Lines that take too long have no
 * colours.
 */
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

import type { TextResourceContents } from '@inpage-mcp/client';
import { css } from 'lit';
import { adoptStyles } from '../../../base/look/adopt-styles.js';
import { endOfPortion } from '../../../base/text/portion.js';
import { Highlighter, tokenStyles } from '../../code/highlight.js';
import { languageOf } from '../../code/languages.js';
import type { Portions, Showing } from '../content/shown-content.js';

/** The styles of lines with their numbers, which a selection does not contain. */
const styles = css`
  .lines {
    margin: 0;
    padding-block: 0.5rem;
    overflow-x: auto;
    font-family: var(--_mono);
    font-size: 0.8125rem;
    line-height: 1.6;
    white-space: pre;
    tab-size: 4;
    outline-offset: -2px;
  }

  .lines > .portion {
    inline-size: max-content;
    min-inline-size: 100%;
    padding-inline-end: 1.25rem;
    box-sizing: border-box;
  }

  .line {
    unicode-bidi: isolate;
  }

  .line::before {
    display: inline-block;
    position: sticky;
    inset-inline-start: 0;
    min-inline-size: 4ch;
    padding-inline: 0.75rem 1rem;
    background: var(--_surface);
    color: var(--_muted);
    counter-increment: line;
    content: counter(line);
    text-align: end;
  }

  /* It goes on from the portion before. */
  .line.rest::before {
    counter-increment: none;
    content: '';
  }

  /* Not for screen readers, where the browser can say so. */
  @supports (content: '1' / '') {
    .line:not(.rest)::before {
      content: counter(line) / '';
    }
  }
`;

/**
 * The maximum layout cost of a portion. Its lines are not wrapped, so that the longest are all visible at
 * once.
 */
const MAX_COST = 1_024;

/** Code in portions, with line numbers and colours. */
export class CodePortions implements Portions {
  readonly #text: string;
  readonly #highlighter: Highlighter | undefined;
  #lines = 0;
  position = 0;

  /** Loads the language. */
  static async of(contents: TextResourceContents, { root }: Showing): Promise<CodePortions> {
    const language = languageOf(contents.mimeType, contents.uri);
    adoptStyles(root, tokenStyles);
    adoptStyles(root, styles);
    return new CodePortions(contents.text, await Highlighter.of(language));
  }

  private constructor(text: string, highlighter: Highlighter | undefined) {
    this.#text = text;
    this.#highlighter = highlighter;
  }

  renderNext(portion: HTMLElement): void {
    const end = endOfPortion(this.#text, this.position, MAX_COST);
    const part = this.#text.slice(this.position, end);
    const goesOn = this.position > 0 && this.#text[this.position - 1] !== '\n';
    const lines = document.createElement('span');
    this.#highlighter?.startPiece();
    for (const [whole, line = ''] of part.matchAll(/([^\n]*?)(?:\r?\n|$)/g)) {
      if (whole === '') continue;
      const element = document.createElement('span');
      const isRest = goesOn && !lines.firstChild;
      element.className = isRest ? 'line rest' : 'line';
      // The counter is set on the first line, because on the portion itself it would have no effect on the
      // lines inside.
      if (!lines.firstChild) element.style.counterReset = `line ${this.#lines}`;
      if (!isRest) this.#lines += 1;
      if (this.#highlighter && !isRest) this.#highlighter.appendLine(element, line);
      else element.append(line);
      element.append(whole.slice(line.length));
      lines.append(element);
    }
    const isSame =
      portion.childNodes.length === lines.childNodes.length &&
      Array.from(portion.childNodes).every((node, at) => node.isEqualNode(lines.childNodes[at]!));
    if (!isSame) portion.replaceChildren(...lines.childNodes);
    this.position = end;
  }
}

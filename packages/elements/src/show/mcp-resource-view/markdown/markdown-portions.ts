import type { TextResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, render } from 'lit';
import type { Token } from './markdown-it.js';
import { limitOfPortion } from '../../../base/text/portion.js';
import { adoptStyles } from '../../../base/look/adopt-styles.js';
import { endAfterData, withoutData } from './data-images.js';
import { MarkdownParts } from './markdown-parts.js';
import { styles } from './markdown.styles.js';
import { findReferences, parseMarkdown, renderMarkdown, type References } from './markdown.js';
import type { Portions, Showing } from '../content/shown-content.js';

/** The maximum number of blocks, spans and texts in a portion. With more, the portion gets fewer lines. */
const MAX_NODES = 1_000;

/** The length up to which a portion is shown regardless of its content, in UTF-16 code units. */
const MIN_LENGTH = 128;

/** A line that begins or ends a block of code, alone or in a list or a quotation. */
const FENCE = /^[\s>*+-]*(?:\d+[.)]\s+)?(?:`{3}|~{3})/;

/**
 * Front matter: YAML between two lines `---` at the start, up to a maximum length. If no field follows the
 * first line, it is a thematic break.
 */
const FRONT_MATTER =
  /(?<![^])\uFEFF?---[ \t]*\r?\n(?=(?:#.*\r?\n)*["']?[^\s#"':-][^:\n]*:\s)([^]*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;
const MAX_FRONT_MATTER = 65_536;

/** The maximum length of the head of a table that is repeated in each portion of it. */
const MAX_HEAD_LENGTH = 1_000;

/** The facts about a portion that the next one needs if a block continues in it. */
interface Continuation {
  /** The lines that are inserted before the text of the next portion. */
  prefix: string;
  /** The number of the next item, if a numbered list continues. */
  itemNumber?: number;
}

const NOTHING_GOES_ON: Continuation = { prefix: '' };

/**
 * Markdown in portions that are parsed separately, so that no text blocks the parser longer than a portion
 * does. They end between blocks if possible. Otherwise the block continues in the next portion: a list with
 * its next number, a table with its head, code as code.
 *
 * Loaded only if Markdown is to be shown.
 */
export class MarkdownPortions implements Portions {
  readonly #text: string;
  readonly #references: References;
  readonly #parts: MarkdownParts;
  #continuation = NOTHING_GOES_ON;
  position = 0;

  constructor({ text }: TextResourceContents, showing: Showing) {
    this.#text = text;
    this.#references = findReferences(withoutData(text, 0));
    this.#references.hasNames = !showing.uri.startsWith('note:');
    this.#parts = new MarkdownParts(showing, text);
    adoptStyles(showing.root, styles);
  }

  ready(): Promise<void> {
    return this.#parts.ready();
  }

  renderNext(portion: HTMLElement): void {
    if (this.position === 0 && this.#renderFrontMatter(portion)) return;
    const { end, source, tokens } = this.#parseNext();
    const part = this.#text.slice(this.position, end);
    const { itemNumber } = this.#continuation;
    // A list that continues has the next number, regardless of the number in the text.
    if (itemNumber !== undefined && tokens?.[0]?.type === 'ordered_list_open')
      tokens[0].attrSet('start', `${itemNumber}`);
    portion.classList.toggle('cut', end < this.#text.length && !part.endsWith('\n'));
    render(
      tokens
        ? renderMarkdown(tokens, this.#parts)
        : html`<p class="remark">
              ${msg('This part is nested too deep to be formatted.', {
                id: 'mcp.resource-view.too-deep',
              })}
            </p>
            <pre class="text">${part}</pre>`,
      portion,
    );
    this.#continuation =
      tokens && end < this.#text.length ? continuationOf(tokens, source) : NOTHING_GOES_ON;
    this.position = end;
  }

  /** Shows front matter, which is not Markdown, as YAML. */
  #renderFrontMatter(portion: HTMLElement): boolean {
    const found = FRONT_MATTER.exec(this.#text.slice(0, MAX_FRONT_MATTER));
    if (!found) return false;
    render(this.#parts.code(found[1]!.trimEnd(), 'yaml'), portion);
    this.position = found[0].length;
    return true;
  }

  /** Parses the next portion, or a shorter one if the first has too many nodes. */
  #parseNext(length?: number): {
    end: number;
    source: string;
    tokens: readonly Token[] | undefined;
  } {
    const end = this.#nextEnd(length);
    const part = this.#text.slice(this.position, end);
    const source = this.#continuation.prefix + withoutData(part, this.position);
    const tokens = parseMarkdown(source, this.#references);
    const isTooMuch = tokens && nodesIn(tokens) > MAX_NODES && part.length > MIN_LENGTH;
    return isTooMuch ? this.#parseNext(part.length >> 1) : { end, source, tokens };
  }

  #nextEnd(length?: number): number {
    const end = limitOfPortion(this.#text, this.position, length);
    if (end === this.#text.length) return end;
    const afterData = endAfterData(this.#text, this.position, end);
    if (afterData > end) return afterData;
    return this.position + lengthUpToBreak(this.#text.slice(this.position, end + 1));
  }
}

function nodesIn(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { children }) => sum + (children?.length ?? 0), tokens.length);
}

/**
 * The length of a part of a text, chosen so that the rest begins with a block: best after an empty line,
 * otherwise at the beginning of a line that is not indented, otherwise of any line, otherwise of a word. The
 * last character of the part only shows the next one.
 */
function lengthUpToBreak(part: string): number {
  let [afterEmpty, atMargin, atLine] = [0, 0, 0];
  let isCode = false;
  let wasEmpty = false;
  let start = 0;
  for (let next = part.indexOf('\n') + 1; next > 0; next = part.indexOf('\n', start) + 1) {
    const line = part.slice(start, next);
    if (FENCE.test(line)) isCode = !isCode;
    wasEmpty = line.trim() === '';
    start = next;
    const isIndented = /\s/.test(part.charAt(next));
    atLine = next;
    if (isCode || isIndented) continue;
    atMargin = next;
    if (wasEmpty) afterEmpty = next;
  }
  // A portion of only a few lines before a long block is useful, too.
  return afterEmpty || atMargin || atLine || atWord(part);
}

/** A position after a space near the end, or otherwise at the end. */
function atWord(part: string): number {
  const end = part.length - 1;
  const space = part.lastIndexOf(' ', end - 1) + 1;
  return space > end / 2 ? space : end;
}

/** The block of a portion that continues after it. */
function continuationOf(tokens: readonly Token[], source: string): Continuation {
  const last = tokens.findLast(({ nesting }) => nesting !== -1);
  const closing = tokens.at(-1);
  if (last?.type === 'fence' && closing?.type !== 'details_close' && !isClosed(last, source)) {
    return { prefix: `${last.markup}${last.info}\n` };
  }
  if (closing?.type === 'table_close' && !/\n\s*\n$/.test(source)) {
    const opening = tokens.findLast(({ type }) => type === 'table_open');
    const [first = 0] = opening?.map ?? [];
    const head = source
      .split('\n')
      .slice(first, first + 2)
      .join('\n');
    return head.length > MAX_HEAD_LENGTH ? NOTHING_GOES_ON : { prefix: `${head}\n` };
  }
  if (closing?.type === 'ordered_list_close') {
    const opening = tokens.findLastIndex(
      ({ type, level }) => type === 'ordered_list_open' && level === 0,
    );
    const items = tokens
      .slice(opening)
      .filter(({ type, level }) => type === 'list_item_open' && level === 1);
    return {
      prefix: '',
      itemNumber: Number(tokens[opening]!.attrGet('start') ?? 1) + items.length,
    };
  }
  return NOTHING_GOES_ON;
}

/** Whether the last block of a portion, which is code, ends with its last line. */
function isClosed({ markup, map }: Token, source: string): boolean {
  const lines = source.trimEnd().split('\n');
  const last = lines.at(-1)!.replace(/^[\s>]+/, '');
  const isOpening = map !== null && map[0] === lines.length - 1;
  return !isOpening && last.length >= markup.length && last === markup[0]!.repeat(last.length);
}

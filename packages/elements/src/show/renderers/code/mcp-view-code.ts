import type { ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { rowStyles, VirtualRows } from '../../../base/rows/virtual-rows.js';
import { Slices } from '../../../reading/slices.js';
import { theme } from '../../../base/look/theme.js';
import { formatNumber } from '../../../base/text/format.js';
import { markOf, markStyles } from '../change-marks.js';
import { RendererBase } from '../renderer-base.js';
import { rendererStyles } from '../renderer.styles.js';
import { CodeRows } from './code-rows.js';
import { CodeTokens } from './code-tokens.js';
import { languageOf, loadLanguage } from './languages.js';
import { LineParser, type Token } from './line-parser.js';
import { styles } from './mcp-view-code.styles.js';
import { tokenStyles } from './tokens.js';

interface Model {
  rows: CodeRows;
  tokens: CodeTokens | undefined;
}

/**
 * Code with line numbers and colours. Only the lines in sight are drawn. A line that is too long for
 * one row goes on in the next one, which has no number.
 *
 * @csspart scroller - The lines.
 * @csspart partial - The remark that only the first part is shown.
 * @cssprop --mcp-code-comment - The colour of comments; likewise `-keyword`, `-string`, `-number`,
 *   `-type`, `-name`, `-property` and `-tag`.
 */
export class McpViewCode extends RendererBase<Model> {
  static override readonly properties: PropertyDeclarations = {
    markedLine: { attribute: false },
  };
  static override readonly styles = [
    theme,
    rendererStyles,
    rowStyles,
    tokenStyles,
    styles,
    markStyles,
  ];

  /** The number of a line that is marked and scrolled to, from 1. Default: none. */
  declare markedLine: number | undefined;

  readonly #rows = new VirtualRows(this, {
    scroller: () => this.renderRoot.querySelector<HTMLElement>('.scroller') ?? undefined,
    keyOf: String,
  });
  #reading = new AbortController();

  protected override async prepare(contents: ResourceContents, slices: Slices): Promise<Model> {
    const language = loadLanguage(languageOf(contents.mimeType, contents.uri));
    const { text, isCut } = await this.readText(contents, slices);
    const rows = await CodeRows.read(text, isCut, slices);
    const parser = await language;
    if (this.markedLine !== undefined) this.#rows.scrollToRow(rows.rowOf(this.markedLine - 1));
    return { rows, tokens: parser && new CodeTokens(rows, new LineParser(parser)) };
  }

  protected override renderModel({ rows, tokens }: Model): TemplateResult {
    this.#rows.count = rows.count;
    const changes = this.shownChanges;
    const mark = (row: number): string => markOf(changes, ...rows.rangeOf(row));
    const label = msg('Code', { id: 'mcp.renderers.code' });
    return html`${this.renderPartial(rows.isCut)}
      <div
        class="scroller"
        part="scroller"
        role="group"
        aria-label=${label}
        tabindex="0"
        dir="ltr"
        .style=${`--digits: ${formatNumber(rows.lineCount).length}`}
      >
        ${this.#rows.render((row) => renderRow(rows, tokens, mark(row), row, this.markedLine))}
      </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { model } = this;
    if (model?.tokens) this.#readTokens(model.rows, model.tokens);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#reading.abort();
  }

  /** Reads the tokens of the rows in sight, unless they are known. */
  #readTokens(rows: CodeRows, tokens: CodeTokens): void {
    if (rows.count === 0) return;
    const first = rows.lineOf(this.#rows.first);
    const end = rows.lineOf(Math.max(0, this.#rows.end - 1)) + 1;
    if (tokens.has(first, end)) return;
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    tokens.read(first, end, new Slices(signal, () => undefined)).then(
      () => this.requestUpdate(),
      (error: unknown) => {
        if (!signal.aborted) throw error;
      },
    );
  }
}

/** The element, for renderers.ts. */
export { McpViewCode as renderer };

function renderRow(
  rows: CodeRows,
  tokens: CodeTokens | undefined,
  mark: string,
  row: number,
  markedLine: number | undefined,
): TemplateResult {
  const line = rows.lineOf(row);
  const [start, end] = rows.rangeOf(row);
  const lineStart = rows.rangeOf(rows.rowOf(line))[0];
  const text = rows.text.slice(start, end);
  const parts = piecesOf(text, start - lineStart, tokens?.of(line) ?? []);
  const number = rows.beginsLine(row) ? formatNumber(line + 1) : '';
  return html`<div class=${line + 1 === markedLine ? 'row marked' : 'row'}>
    <span class="number" aria-hidden="true">${number}</span
    ><span class=${`line ${mark}`}>${parts}</span>
  </div>`;
}

/** The text of a row in spans; it begins at an offset of its line. */
function piecesOf(text: string, offset: number, tokens: readonly Token[]): unknown[] {
  const pieces: unknown[] = [];
  let at = 0;
  for (const { end, className } of [...tokens, { end: Infinity, className: '' }]) {
    const stop = Math.min(end - offset, text.length);
    if (stop <= at) continue;
    const piece = text.slice(at, stop);
    pieces.push(className === '' ? piece : html`<span class=${className}>${piece}</span>`);
    at = stop;
  }
  return pieces;
}

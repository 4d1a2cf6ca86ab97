import type { ResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { chevronIcon, icon } from '../../../base/look/icons.js';
import { theme } from '../../../base/look/theme.js';
import type { Slices } from '../../../reading/slices.js';
import { rowStyles, VirtualRows } from '../../../base/rows/virtual-rows.js';
import { formatNumber } from '../../../base/text/format.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { RendererBase } from '../renderer-base.js';
import { markStyles, rendererStyles } from '../renderer.styles.js';
import { styles } from './mcp-view-table.styles.js';
import { MAX_COLUMNS, readTable, type Column, type Row, type Table } from './read-table.js';

/** How many columns are drawn at a time. */
const COLUMNS = 25;

/** How long a field is in its cell, in UTF-16 code units. */
const MAX_LENGTH = 60;

interface Model extends Table {
  /** The class of each row that has changed. */
  marks?: ReadonlyMap<number, string>;
}

/** The columns that are drawn. */
interface Sight {
  first: number;
  end: number;
  columns: readonly Column[];
}

/**
 * Values that are separated by commas, semicolons, tabs or bars as a table. Only the rows in sight are drawn, and
 * twenty-five columns at a time. Rows may differ in length; numbers are aligned at their end.
 *
 * @csspart scroller - The table.
 * @csspart columns - The line that says which columns are shown.
 * @csspart partial - The remark that only the first part is shown.
 */
export class McpViewTable extends RendererBase<Model> {
  static override readonly properties: PropertyDeclarations = { firstColumn: { state: true } };
  static override readonly styles = [theme, rendererStyles, rowStyles, styles, markStyles];

  /** The first column that is drawn, from 0. */
  declare private firstColumn: number;

  readonly #rows = new VirtualRows(this, {
    scroller: () => this.renderRoot.querySelector<HTMLElement>('.scroller') ?? undefined,
    keyOf: String,
  });

  constructor() {
    super();
    this.firstColumn = 0;
  }

  protected override async prepare(contents: ResourceContents, slices: Slices): Promise<Model> {
    const { text, isCut } = await this.readText(contents, slices);
    return await readTable(text, separatorOf(contents), isCut, slices);
  }

  protected override renderModel(model: Model): TemplateResult {
    const { rows, columns, hasNames, isCut } = model;
    if (rows.length === 0) return renderEmpty();
    const count = Math.min(columns.length, MAX_COLUMNS);
    const last = Math.max(0, count - 1);
    const first = Math.min(this.firstColumn, last - (last % COLUMNS));
    const end = Math.min(count, first + COLUMNS);
    const sight = { first, end, columns: columns.slice(first, end) };
    const offset = hasNames ? 1 : 0;
    this.#rows.count = rows.length - offset;
    const marks = this.changes ? (model.marks ??= this.#marksOf(model)) : undefined;
    return html`${this.renderPartial(isCut, isCut || columns.length > count)}
      ${count > COLUMNS ? this.#renderColumns(sight, count) : nothing}
      <div
        class="scroller"
        part="scroller"
        role="table"
        tabindex="0"
        aria-label=${msg('Table', { id: 'mcp.renderers.table' })}
        aria-rowcount=${rows.length}
        aria-colcount=${count}
        .style=${`--columns: ${templateOf(rows.length, sight)}`}
      >
        ${hasNames ? renderNames(rows[0]!, sight, marks?.get(0)) : nothing}
        ${this.#rows.render((row) =>
          renderRow(rows[row + offset]!, sight, row + offset, row + 1, marks?.get(row + offset)),
        )}
      </div>`;
  }

  /** Of a part, the last row may go on. */
  #marksOf({ rows, isCut }: Model): Map<number, string> {
    const [old, now] = [this.baseline?.rows ?? [], rows].map((some) =>
      some.map(({ source }) => source),
    );
    const last = isCut || this.partial ? rows.length - 1 : rows.length;
    const marks = new Map<number, string>();
    for (const { first, end, isRemoval } of this.changes!(old!, now!))
      for (let row = first; row < Math.min(end, last); row += 1)
        marks.set(row, isRemoval ? 'removed' : 'changed');
    return marks;
  }

  #renderColumns({ first, end }: Sight, count: number): TemplateResult {
    const [from, to, all] = [formatNumber(first + 1), formatNumber(end), formatNumber(count)];
    const previous = msg('Previous columns', { id: 'mcp.renderers.previous-columns' });
    const next = msg('Next columns', { id: 'mcp.renderers.next-columns' });
    return html`<div class="bar" part="columns">
      <span class="grow" role="status"
        >${msg(str`Columns ${from} to ${to} of ${all}`, { id: 'mcp.renderers.columns' })}</span
      >
      <button
        class="previous"
        aria-label=${previous}
        title=${previous}
        ?disabled=${first === 0}
        @click=${() => (this.firstColumn = Math.max(0, first - COLUMNS))}
      >
        ${icon(chevronIcon)}
      </button>
      <button
        class="next"
        aria-label=${next}
        title=${next}
        ?disabled=${end >= count}
        @click=${() => (this.firstColumn = end)}
      >
        ${icon(chevronIcon)}
      </button>
    </div>`;
  }
}

/** The element, for kinds.ts. */
export { McpViewTable as renderer };

/** The separator, if the type or the name says which. */
function separatorOf({ mimeType, uri }: ResourceContents): string | undefined {
  const isTabbed = mimeType === 'text/tab-separated-values' || /\.tsv$/i.test(uri.slice(-8));
  return isTabbed ? '\t' : undefined;
}

/** The widths of the number of the row, and of the columns. */
function templateOf(count: number, { columns }: Sight): string {
  const widths = [formatNumber(count).length, ...columns.map(({ width }) => width)];
  return widths.map((width) => `calc(${width}ch + 1.5rem)`).join(' ');
}

function renderNames(row: Row, sight: Sight, mark = ''): TemplateResult {
  return html`<div class=${`names ${mark}`} role="row" aria-rowindex="1">
    <span class="number" role="presentation"></span>
    ${renderCells(row, sight, 'columnheader')}
  </div>`;
}

function renderRow(
  row: Row,
  sight: Sight,
  index: number,
  number: number,
  mark = '',
): TemplateResult {
  return html`<div class=${`row ${mark}`} role="row" aria-rowindex=${index + 1}>
    <span class="number" role="presentation">${formatNumber(number)}</span>
    ${renderCells(row, sight, 'cell')}
  </div>`;
}

function renderCells(
  { fields }: Row,
  { first, columns }: Sight,
  role: 'cell' | 'columnheader',
): TemplateResult[] {
  return columns.map(
    ({ isNumeric }, index) =>
      html`<span
        role=${role}
        class=${isNumeric ? 'cell numeric' : 'cell'}
        aria-colindex=${first + index + 1}
        >${truncateText(fields[first + index] ?? '', MAX_LENGTH)}</span
      >`,
  );
}

function renderEmpty(): TemplateResult {
  return html`<p class="message">
    ${msg('This table has no rows.', { id: 'mcp.renderers.no-rows' })}
  </p>`;
}

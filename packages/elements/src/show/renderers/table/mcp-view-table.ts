import type { ResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { chevronIcon, icon } from '../../../base/look/icons.js';
import { theme } from '../../../base/look/theme.js';
import type { Slices } from '../../../reading/slices.js';
import { rowStyles, VirtualRows } from '../../../base/rows/virtual-rows.js';
import { formatNumber } from '../../../base/text/format.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { markOf, markStyles } from '../change-marks.js';
import type { ContentChanges } from '../renderer.js';
import { RendererBase } from '../renderer-base.js';
import { rendererStyles } from '../renderer.styles.js';
import { describeColumns, findColumns, type Column, type Columns } from './columns.js';
import { styles } from './mcp-view-table.styles.js';
import { readFields, readRows, type Rows } from './read-rows.js';

/** How many columns are drawn at a time. */
const COLUMNS = 25;

/** How long a field is in its cell, in UTF-16 code units. */
const MAX_LENGTH = 60;

interface Model {
  rows: Rows;
  columns: Columns;
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
  #sight: { model: Model; sight: Sight } | undefined;

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
    const rows = await readRows(text, separatorOf(contents), isCut, slices);
    await slices.next();
    return { rows, columns: findColumns(rows) };
  }

  protected override renderModel(model: Model): TemplateResult {
    const { rows, columns } = model;
    const changes = this.shownChanges;
    if (rows.starts.length === 0) return renderEmpty();
    const offset = columns.hasNames ? 1 : 0;
    this.#rows.count = rows.starts.length - offset;
    const sight = this.#sightOf(model);
    return html`${this.renderPartial(rows.isCut, rows.isCut || columns.isCut)}
      ${columns.count > COLUMNS ? this.#renderColumns(sight, columns.count) : nothing}
      <div
        class="scroller"
        part="scroller"
        role="table"
        tabindex="0"
        aria-label=${msg('Table', { id: 'mcp.renderers.table' })}
        aria-rowcount=${rows.starts.length}
        aria-colcount=${columns.count}
        .style=${`--columns: ${templateOf(rows, sight)}`}
      >
        ${columns.hasNames ? renderNames(rows, sight, changes) : nothing}
        ${this.#rows.render((row) => renderRow(rows, sight, row + offset, row + 1, changes))}
      </div>`;
  }

  #sightOf(model: Model): Sight {
    const { rows, columns } = model;
    const last = Math.max(0, columns.count - 1);
    const first = Math.min(this.firstColumn, last - (last % COLUMNS));
    if (this.#sight?.model === model && this.#sight.sight.first === first) return this.#sight.sight;
    const end = Math.min(columns.count, first + COLUMNS);
    const described = describeColumns(rows, first, end, columns.hasNames);
    const sight = { first, end, columns: described };
    this.#sight = { model, sight };
    return sight;
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

/** The element, for renderers.ts. */
export { McpViewTable as renderer };

/** The separator, if the type or the name says which. */
function separatorOf({ mimeType, uri }: ResourceContents): string | undefined {
  const isTabbed = mimeType === 'text/tab-separated-values' || /\.tsv$/i.test(uri.slice(-8));
  return isTabbed ? '\t' : undefined;
}

/** The widths of the number of the row, and of the columns. */
function templateOf(rows: Rows, { columns }: Sight): string {
  const digits = formatNumber(rows.starts.length).length;
  return [
    `calc(${digits}ch + 1.5rem)`,
    ...columns.map(({ width }) => `calc(${width}ch + 1.5rem)`),
  ].join(' ');
}

function renderNames(
  rows: Rows,
  sight: Sight,
  changes: ContentChanges | undefined,
): TemplateResult {
  return html`<div class=${`names ${markOfRow(rows, 0, changes)}`} role="row" aria-rowindex="1">
    <span class="number" role="presentation"></span>
    ${renderCells(rows, sight, 0, 'columnheader')}
  </div>`;
}

function renderRow(
  rows: Rows,
  sight: Sight,
  row: number,
  number: number,
  changes: ContentChanges | undefined,
): TemplateResult {
  return html`<div
    class=${`row ${markOfRow(rows, row, changes)}`}
    role="row"
    aria-rowindex=${row + 1}
  >
    <span class="number" role="presentation">${formatNumber(number)}</span>
    ${renderCells(rows, sight, row, 'cell')}
  </div>`;
}

function markOfRow(rows: Rows, row: number, changes: ContentChanges | undefined): string {
  return markOf(changes, rows.starts[row] ?? 0, rows.ends[row] ?? 0);
}

function renderCells(
  rows: Rows,
  { first, end, columns }: Sight,
  row: number,
  role: 'cell' | 'columnheader',
): TemplateResult[] {
  const { fields } = readFields(rows, row, first, end);
  return columns.map(({ isNumeric }, index) => {
    return html`<span
      role=${role}
      class=${isNumeric ? 'cell numeric' : 'cell'}
      aria-colindex=${first + index + 1}
      >${truncateText(fields[index] ?? '', MAX_LENGTH)}</span
    >`;
  });
}

function renderEmpty(): TemplateResult {
  return html`<p class="message">
    ${msg('This table has no rows.', { id: 'mcp.renderers.no-rows' })}
  </p>`;
}

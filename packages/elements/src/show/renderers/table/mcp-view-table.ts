import type { ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { theme } from '../../../base/look/theme.js';
import type { Slices } from '../../../reading/slices.js';
import { rowStyles, VirtualRows } from '../../../base/rows/virtual-rows.js';
import { formatNumber } from '../../../base/text/format.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { RendererBase } from '../renderer.js';
import { rendererStyles } from '../renderer.styles.js';
import { styles } from './mcp-view-table.styles.js';
import { readTable, type Column, type Row, type Table } from './read-table.js';

/** The maximum length of a field in its cell, in UTF-16 code units. */
const MAX_LENGTH = 60;

/**
 * Values that are separated by commas, semicolons, tabs or bars as a table of at most fifty columns. Only
 * the rows in sight are drawn. Rows may differ in length; numbers are aligned at their end.
 *
 * @csspart scroller - The table.
 * @csspart partial - The remark that only the first part is shown.
 */
export class McpViewTable extends RendererBase<Table> {
  static override readonly styles = [theme, rendererStyles, rowStyles, styles];

  readonly #rows = new VirtualRows(this, {
    scroller: () => this.renderRoot.querySelector<HTMLElement>('.scroller') ?? undefined,
    keyOf: String,
  });

  protected override async prepare(contents: ResourceContents, slices: Slices): Promise<Table> {
    const { text, isCut } = await this.readText(contents, slices);
    return await readTable(text, separatorOf(contents), isCut, slices);
  }

  protected override renderModel(table: Table): TemplateResult {
    const { rows, columns, hasNames, isCut, isNarrow } = table;
    if (rows.length === 0) return renderEmpty();
    const offset = hasNames ? 1 : 0;
    this.#rows.count = rows.length - offset;
    return html`${this.renderPartial(isCut, isCut || isNarrow)}
      <div
        class="scroller"
        part="scroller"
        role="table"
        tabindex="0"
        aria-label=${msg('Table', { id: 'mcp.renderers.table' })}
        aria-rowcount=${rows.length}
        aria-colcount=${columns.length}
        .style=${`--columns: ${templateOf(rows.length, columns)}`}
      >
        ${hasNames ? renderNames(rows[0]!, columns) : nothing}
        ${this.#rows.render((row) =>
          renderRow(rows[row + offset]!, columns, row + offset, row + 1),
        )}
      </div>`;
  }
}

/** The element, for kinds.ts. */
export { McpViewTable as renderer };

/** The separator, if the type or the name determines it. */
function separatorOf({ mimeType, uri }: ResourceContents): string | undefined {
  const isTabbed = mimeType === 'text/tab-separated-values' || /\.tsv$/i.test(uri.slice(-8));
  return isTabbed ? '\t' : undefined;
}

/** The widths of the column with the row number, and of the other columns. */
function templateOf(count: number, columns: readonly Column[]): string {
  const widths = [formatNumber(count).length, ...columns.map(({ width }) => width)];
  return widths.map((width) => `calc(${width}ch + 1.5rem)`).join(' ');
}

function renderNames(row: Row, columns: readonly Column[]): TemplateResult {
  return html`<div class="names" role="row" aria-rowindex="1">
    <span class="number" role="presentation"></span>
    ${renderCells(row, columns, 'columnheader')}
  </div>`;
}

function renderRow(
  row: Row,
  columns: readonly Column[],
  index: number,
  number: number,
): TemplateResult {
  return html`<div class="row" role="row" aria-rowindex=${index + 1}>
    <span class="number" role="presentation">${formatNumber(number)}</span>
    ${renderCells(row, columns, 'cell')}
  </div>`;
}

function renderCells(
  fields: Row,
  columns: readonly Column[],
  role: 'cell' | 'columnheader',
): TemplateResult[] {
  return columns.map(
    ({ isNumeric }, index) =>
      html`<span
        role=${role}
        class=${isNumeric ? 'cell numeric' : 'cell'}
        aria-colindex=${index + 1}
        >${truncateText(fields[index] ?? '', MAX_LENGTH)}</span
      >`,
  );
}

function renderEmpty(): TemplateResult {
  return html`<p class="message">
    ${msg('This table has no rows.', { id: 'mcp.renderers.no-rows' })}
  </p>`;
}

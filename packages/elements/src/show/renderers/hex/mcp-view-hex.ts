import type { ResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { chevronIcon, copyIcon, icon } from '../../../base/look/icons.js';
import { renderError } from '../../../base/look/messages.js';
import { theme } from '../../../base/look/theme.js';
import { blobOf } from '../../../reading/content-bytes.js';
import type { Slices } from '../../../reading/slices.js';
import { rowStyles, VirtualRows } from '../../../base/rows/virtual-rows.js';
import { formatSize } from '../../../base/text/format.js';
import { RendererBase } from '../renderer-base.js';
import { rendererStyles } from '../renderer.styles.js';
import { BytesReader } from './bytes-reader.js';
import { styles } from './mcp-view-hex.styles.js';

/** How many bytes can be scrolled through; the buttons lead to the bytes before and after. */
const PAGE = 2_097_152;

/** Bytes in a row, where there is room, and where not. */
const [WIDE, NARROW] = [16, 8];

/** From this width on, in units of the root's font size, a row is wide. */
const MIN_WIDE_REM = 40;

/**
 * The bytes of anything: offset, hexadecimal and ASCII. The bytes of a Blob are read where they are in
 * sight.
 *
 * @csspart scroller - The rows.
 * @csspart bar - The line with the place and its buttons.
 * @csspart partial - The remark that only the first part is shown.
 */
export class McpViewHex extends RendererBase<BytesReader> {
  static override readonly properties: PropertyDeclarations = {
    page: { state: true },
    bytesPerRow: { state: true },
  };
  static override readonly styles = [theme, rendererStyles, rowStyles, styles];

  /** Which part of the bytes can be scrolled through, from 0. */
  declare private page: number;
  declare private bytesPerRow: number;
  #announcement = '';
  readonly #sizes = new ResizeObserver(() => {
    // Not in this frame: the browser reports sizes that change while it reports sizes.
    requestAnimationFrame(() => this.#fit());
  });
  readonly #rows = new VirtualRows(this, {
    scroller: () => this.renderRoot.querySelector<HTMLElement>('.scroller') ?? undefined,
    keyOf: String,
  });

  constructor() {
    super();
    this.page = 0;
    this.bytesPerRow = WIDE;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
  }

  protected override async prepare(
    contents: ResourceContents,
    slices: Slices,
  ): Promise<BytesReader> {
    return new BytesReader(await blobOf(contents, slices), () => this.requestUpdate());
  }

  protected override renderModel(bytes: BytesReader): TemplateResult {
    if (bytes.error !== undefined) return renderError(bytes.error);
    const start = this.#startOf(bytes);
    const length = Math.min(PAGE, bytes.size - start);
    this.#rows.count = Math.ceil(length / this.bytesPerRow);
    return html`${this.renderPartial()}${this.#renderBar(bytes, start)}${bytes.size === 0 ? nothing : this.#renderTable(bytes, start)}`;
  }

  #renderTable(bytes: BytesReader, start: number): TemplateResult {
    const label = msg('Bytes', { id: 'mcp.renderers.bytes' });
    return html`<div
      class="scroller"
      part="scroller"
      role="table"
      aria-label=${label}
      aria-rowcount=${Math.ceil(bytes.size / this.bytesPerRow)}
      tabindex="0"
      dir="ltr"
      .style=${`--bytes: ${this.bytesPerRow}`}
    >
      ${this.#rows.render((row) => this.#renderRow(bytes, start + row * this.bytesPerRow))}
    </div>`;
  }

  #startOf(bytes: BytesReader): number {
    const last = Math.max(0, Math.ceil(bytes.size / PAGE) - 1);
    return Math.min(this.page, last) * PAGE;
  }

  #renderBar(bytes: BytesReader, start: number): TemplateResult {
    const hasPages = bytes.size > PAGE;
    const previous = msg('Previous part', { id: 'mcp.renderers.previous-part' });
    const next = msg('Next part', { id: 'mcp.renderers.next-part' });
    const step = (by: number) => (): void => this.#show(bytes, start + by * PAGE);
    return html`<div class="bar" part="bar">
      <span class="grow">${formatSize(bytes.size)}</span>
      <label
        >${msg('Go to offset', { id: 'mcp.renderers.go-to-offset' })}
        <input
          class="offset"
          dir="ltr"
          spellcheck="false"
          autocomplete="off"
          placeholder="0x0000"
          @change=${(event: Event) => this.#goTo(bytes, event.target as HTMLInputElement)}
      /></label>
      ${
        hasPages
          ? html`<button
                class="previous"
                aria-label=${previous}
                title=${previous}
                ?disabled=${start === 0}
                @click=${step(-1)}
              >
                ${icon(chevronIcon)}
              </button>
              <button
                class="next"
                aria-label=${next}
                title=${next}
                ?disabled=${start + PAGE >= bytes.size}
                @click=${step(1)}
              >
                ${icon(chevronIcon)}
              </button>`
          : nothing
      }
      ${
        'clipboard' in navigator && bytes.size > 0
          ? html`<button class="copy" @click=${async () => await this.#copy(bytes, start)}>
              ${icon(copyIcon)} ${msg('Copy rows in sight', { id: 'mcp.renderers.copy-rows' })}
            </button>`
          : nothing
      }
      <span class="visually-hidden" role="status">${this.#announcement}</span>
    </div>`;
  }

  #renderRow(reader: BytesReader, offset: number): TemplateResult {
    const bytes = reader.read(offset, Math.min(this.bytesPerRow, reader.size - offset));
    return html`<div
      class="row"
      role="row"
      aria-rowindex=${Math.floor(offset / this.bytesPerRow) + 1}
    >
      <span class="at" role="rowheader">${offset.toString(16).padStart(8, '0')}</span>
      <span class="hex" role="cell">${bytes ? hexOf(bytes) : '…'}</span>
      <span class="ascii" role="cell">${bytes ? asciiOf(bytes) : ''}</span>
    </div>`;
  }

  #goTo(bytes: BytesReader, input: HTMLInputElement): void {
    const text = input.value.trim();
    // Offsets are written as in the rows: hexadecimal, with or without `0x`.
    const offset = /^(0x)?[\da-f]{1,13}$/i.test(text) ? parseInt(text, 16) : NaN;
    const isInside = offset < bytes.size;
    const message = msg(str`Write a hexadecimal number below ${bytes.size.toString(16)}.`, {
      id: 'mcp.renderers.bad-offset',
    });
    input.setCustomValidity(isInside || text === '' ? '' : message);
    if (isInside) this.#show(bytes, offset);
    else input.reportValidity();
  }

  #show(bytes: BytesReader, offset: number): void {
    this.page = Math.floor(offset / PAGE);
    const row = Math.floor((offset - this.#startOf(bytes)) / this.bytesPerRow);
    // The row is to be the first in sight, not the last.
    const last =
      Math.ceil(Math.min(PAGE, bytes.size - this.#startOf(bytes)) / this.bytesPerRow) - 1;
    this.#rows.count = last + 1;
    const scroller = this.renderRoot.querySelector('.scroller');
    void this.updateComplete.then(() => {
      if (scroller) scroller.scrollTop = row * this.#rows.rowHeight;
    });
  }

  async #copy(bytes: BytesReader, start: number): Promise<void> {
    const scroller = this.renderRoot.querySelector('.scroller')!;
    const first = Math.floor(scroller.scrollTop / (this.#rows.rowHeight || 1));
    const end = Math.min(this.#rows.count, first + this.#rows.rowsPerPage + 1);
    const lines: string[] = [];
    for (let row = first; row < end; row += 1) {
      const offset = start + row * this.bytesPerRow;
      const read = bytes.read(offset, Math.min(this.bytesPerRow, bytes.size - offset));
      if (read) lines.push(`${offset.toString(16).padStart(8, '0')}  ${hexOf(read)}`);
    }
    this.#announcement = await navigator.clipboard.writeText(lines.join('\n')).then(
      () => msg('Copied', { id: 'mcp.renderers.copied' }),
      () => msg('The browser does not allow copying.', { id: 'mcp.renderers.not-copied' }),
    );
    this.requestUpdate();
  }

  #fit(): void {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const fitting = this.clientWidth >= MIN_WIDE_REM * rem ? WIDE : NARROW;
    if (fitting === this.bytesPerRow) return;
    const scroller = this.renderRoot.querySelector('.scroller');
    const top = (scroller?.scrollTop ?? 0) * (this.bytesPerRow / fitting);
    this.bytesPerRow = fitting;
    // The same bytes stay in sight.
    void this.updateComplete.then(() => {
      if (scroller) scroller.scrollTop = top;
    });
  }
}

/** The element, for renderers.ts. */
export { McpViewHex as renderer };

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

function asciiOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·',
  ).join('');
}

import type { ResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { css, html, nothing, type TemplateResult } from 'lit';
import { theme } from '../../base/look/theme.js';
import { formatSize } from '../../base/text/format.js';
import { blobOf } from '../../reading/content-bytes.js';
import type { Slices } from '../../reading/slices.js';
import { RendererBase } from './renderer.js';
import { rendererStyles } from './renderer.styles.js';

/** The number of bytes that are shown, and of those in a row. */
const FIRST_BYTES = 16_384;
const ROW = 16;

interface Model {
  bytes: Uint8Array;
  /** The number of all bytes. */
  size: number;
}

/**
 * The first bytes of anything: offset, hexadecimal and ASCII. The view offers all of them as a
 * download.
 *
 * @csspart scroller - The rows.
 * @csspart bar - The line with the size.
 * @csspart partial - The remark that only the first part was read.
 */
export class McpViewHex extends RendererBase<Model> {
  static override readonly styles = [
    theme,
    rendererStyles,
    css`
      .scroller {
        margin: 0;
        padding: 0.4rem 0.9rem;
        font: 0.8125rem/1.7 var(--_mono);
      }
    `,
  ];

  protected override async prepare(contents: ResourceContents, slices: Slices): Promise<Model> {
    const blob = await blobOf(contents, slices);
    const bytes = new Uint8Array(await blob.slice(0, FIRST_BYTES).arrayBuffer());
    return { bytes, size: blob.size };
  }

  protected override renderModel({ bytes, size }: Model): TemplateResult {
    const [shown, all] = [formatSize(bytes.length), formatSize(size)];
    const isWhole = bytes.length === size;
    return html`${this.renderPartial()}
      <div class="bar" part="bar">
        ${isWhole ? all : msg(str`${shown} of ${all}`, { id: 'mcp.resource-view.bytes' })}
      </div>
      ${
        size === 0
          ? nothing
          : html`<pre
              class="scroller"
              part="scroller"
              role="group"
              aria-label=${msg('Bytes', { id: 'mcp.renderers.bytes' })}
              tabindex="0"
              dir="ltr"
            >
${rowsOf(bytes).join('\n')}</pre>`
      }`;
  }
}

/** The element, for kinds.ts. */
export { McpViewHex as renderer };

function rowsOf(bytes: Uint8Array): string[] {
  return Array.from({ length: Math.ceil(bytes.length / ROW) }, (_, row) => {
    const part = Array.from(bytes.subarray(row * ROW, (row + 1) * ROW));
    const offset = (row * ROW).toString(16).padStart(8, '0');
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = part.map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·',
    );
    return `${offset}  ${hex.padEnd(3 * ROW - 1)}  ${ascii.join('')}`;
  });
}

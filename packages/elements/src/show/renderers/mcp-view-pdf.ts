import type { ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { css, html, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { keepFocus } from '../../base/element/focus-keeper.js';
import { theme } from '../../base/look/theme.js';
import { nameOf } from '../../base/text/name-of.js';
import { blobOf } from '../../reading/content-bytes.js';
import type { Slices } from '../../reading/slices.js';
import { Refusal, RendererBase } from './renderer.js';
import { rendererStyles } from './renderer.styles.js';

/** The length of the part in which readers accept the header of a PDF, in bytes. */
const HEADER_LENGTH = 1_024;

/**
 * A PDF in the browser's own viewer, in a frame.
 *
 * The browser gives its viewer a context of its own: neither the viewer nor a script in the PDF can
 * reach the page. The frame is not sandboxed, because viewers do not start in a sandbox.
 *
 * @csspart frame - The frame with the viewer.
 * @csspart partial - The remark that only the first part is shown.
 */
export class McpViewPdf extends RendererBase<string> {
  static override readonly styles = [
    theme,
    rendererStyles,
    css`
      iframe {
        flex: 1 1 auto;
        inline-size: 100%;
        min-block-size: min(75dvh, 60rem);
        border: 0;
      }
    `,
  ];

  constructor() {
    super();
    keepFocus(this, () => () => this.renderRoot.querySelector('iframe'));
  }

  protected override async prepare(contents: ResourceContents, slices: Slices): Promise<string> {
    const blob = await blobOf(contents, slices);
    const header = await blob.slice(0, HEADER_LENGTH).text();
    slices.throwIfAborted();
    if (!header.includes('%PDF-'))
      throw new Refusal(msg('This is not a PDF.', { id: 'mcp.renderers.not-pdf' }), false);
    if (!navigator.pdfViewerEnabled)
      throw new Refusal(
        msg('This browser does not show PDFs.', { id: 'mcp.renderers.no-viewer' }),
        false,
      );
    // The type prevents the browser from treating it as a document of the page's origin.
    return URL.createObjectURL(blob.slice(0, blob.size, 'application/pdf'));
  }

  override release(): void {
    if (this.model !== undefined) URL.revokeObjectURL(this.model);
  }

  protected override renderModel(url: string): TemplateResult {
    const frame = html`<iframe
      part="frame"
      src=${url}
      title=${nameOf(this.contents!.uri)}
      referrerpolicy="no-referrer"
    ></iframe>`;
    // In the same frame, each version would be a step in the history, and Back would lead to a revoked address.
    return html`${this.renderPartial()}${keyed(url, frame)}`;
  }
}

/** The element, for kinds.ts. */
export { McpViewPdf as renderer };

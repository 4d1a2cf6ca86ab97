import type { ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { css, html, type TemplateResult } from 'lit';
import { theme } from '../../../base/look/theme.js';
import { blobOf } from '../../../reading/content-bytes.js';
import type { Slices } from '../../../reading/slices.js';
import { nameOf } from '../../../base/text/name-of.js';
import { downloadUrl, renderDownload } from '../download.js';
import { RendererBase } from '../renderer-base.js';
import { rendererStyles } from '../renderer.styles.js';

interface Model {
  contents: ResourceContents;
  blob: Blob;
  isPdf: boolean;
  url: string;
}

/** Readers accept a PDF whose header is somewhere in so many bytes. */
const HEADER_LENGTH = 1_024;

/**
 * A PDF in the browser's own viewer, in a frame. Where the browser has none, and for bytes that are
 * not a PDF, a download.
 *
 * The browser gives its viewer a context of its own: neither the viewer nor a script in the PDF can
 * reach the page. The frame is not sandboxed, because viewers do not start in a sandbox.
 *
 * @csspart frame - The frame with the viewer.
 * @csspart download - The download.
 * @csspart partial - The remark that only the first part is shown.
 */
export class McpViewPdf extends RendererBase<Model> {
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

  protected override async prepare(contents: ResourceContents, slices: Slices): Promise<Model> {
    const blob = await blobOf(contents, slices);
    const header = await blob.slice(0, HEADER_LENGTH).text();
    slices.throwIfAborted();
    const isPdf = header.includes('%PDF-');
    const canShow = isPdf && navigator.pdfViewerEnabled;
    // The type keeps the browser from making a document of the page's origin of it.
    const url = canShow
      ? URL.createObjectURL(blob.slice(0, blob.size, 'application/pdf'))
      : downloadUrl(blob);
    return { contents, blob, isPdf, url };
  }

  protected override release({ url }: Model): void {
    URL.revokeObjectURL(url);
  }

  protected override renderModel({ contents, blob, isPdf, url }: Model): TemplateResult {
    const noPdf = msg('This is not a PDF.', { id: 'mcp.renderers.not-pdf' });
    const noViewer = msg('This browser does not show PDFs.', { id: 'mcp.renderers.no-viewer' });
    if (!isPdf || !navigator.pdfViewerEnabled)
      return renderDownload(contents, blob, url, isPdf ? noViewer : noPdf);
    return html`${this.renderPartial()}<iframe
        part="frame"
        src=${url}
        title=${nameOf(contents.uri)}
        referrerpolicy="no-referrer"
      ></iframe>`;
  }
}

/** The element, for renderers.ts. */
export { McpViewPdf as renderer };

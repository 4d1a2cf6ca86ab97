import type { ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { css, html, nothing, type TemplateResult } from 'lit';
import { formatSize } from '../../../base/text/format.js';
import { renderOutdated } from '../../../base/look/messages.js';
import { downloadIcon, icon, iconFor } from '../../../base/look/icons.js';
import { Slices } from '../../../reading/slices.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { blobOf, sizeOf } from '../../../reading/content-bytes.js';
import { nameOf } from '../../../base/text/name-of.js';
import { adoptStyles } from '../../../base/look/adopt-styles.js';
import { imageTypeOf } from '../content/kinds.js';
import { isSmallDrawing } from '../content/drawing-budget.js';
import { imageAddress, svgAddress, SVG_TYPE } from '../content/image-address.js';
import { drawingDocument } from '../content/drawing-document.js';
import { unloadedInWords, type Showing, type ShownContent } from '../content/shown-content.js';
import { ShownElement } from './shown-element.js';

/** The styles of images and downloads. */
const styles = css`
  .one > :is(.image, .download) {
    padding-block: 1.1rem;
  }

  .image {
    display: grid;
    place-items: center;
    margin: 0;
    padding: 1.25rem;
  }

  .image > :is(img, iframe) {
    max-inline-size: 100%;
    border-radius: var(--_radius);
    background: repeating-conic-gradient(var(--_raised) 0 25%, var(--_surface) 0 50%) 0 / 20px 20px;
  }

  .image > iframe {
    inline-size: 100%;
    block-size: min(70dvh, 40rem);
    border: 0;
    color-scheme: light;
  }

  .download {
    display: grid;
    justify-items: center;
    gap: 0.75rem;
    padding: 3rem 1.25rem;
    text-align: center;
    overflow-wrap: anywhere;
  }

  .download > .icon {
    inline-size: 2.5rem;
    block-size: 2.5rem;
    color: var(--_muted);
  }

  .download > .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.5rem;
  }

  .facts {
    color: var(--_muted);
    font-size: 0.875rem;
  }
`;

function slowRemark(): string {
  return msg('Drawing this image may take long. Until it is drawn, the page may not react.', {
    id: 'mcp.resource-view.slow',
  });
}

function brokenRemark(): string {
  return msg('Its bytes cannot be read.', { id: 'mcp.resource-view.broken' });
}

function undecodableRemark(): string {
  return msg('The browser cannot show this image.', { id: 'mcp.resource-view.undecodable' });
}

/** An image, or a file that is offered as a download. */
export class ShownFile implements ShownContent {
  readonly kind: string;
  readonly #showing: Showing;
  readonly #contents: ResourceContents;
  #state: 'pending' | 'image' | 'slow' | 'frame' | 'download' | 'broken' = 'pending';
  /** The reason why it is not shown; empty if no reason is shown. */
  #remark: string | TemplateResult;
  #blob: Blob | undefined;
  #url: string | undefined;
  /** The address of an SVG that is drawn without asking. */
  #svgAddress: string | undefined;
  /** The view of the bytes, after the user has asked for it. */
  #bytes: ShownElement | undefined;
  #isFocusAsked = false;

  /** @param remark The reason why it is not shown in its format. Default: it has no format. */
  constructor(
    contents: ResourceContents,
    showing: Showing,
    kind: string,
    remark: string | TemplateResult = '',
  ) {
    this.kind = kind;
    this.#contents = contents;
    this.#showing = showing;
    this.#remark = remark;
    adoptStyles(showing.root, styles);
  }

  accepts(contents: ResourceContents): boolean {
    return contents === this.#contents;
  }

  async prepare(slices: Slices): Promise<void> {
    if (this.isReady) return;
    const contents = this.#contents;
    const isImage = this.kind === 'image';
    try {
      const blob = await blobOf(contents, slices);
      const isSvg = isImage && imageTypeOf(contents) === SVG_TYPE;
      const isSlow = isSvg && !(await isSmallDrawing(blob));
      const address = isSvg && !isSlow ? await svgAddress(blob) : undefined;
      slices.throwIfAborted();
      this.#blob = blob;
      this.#svgAddress = address;
      if (isSlow) this.#become('slow', slowRemark());
      else this.#become(isImage ? 'image' : 'download');
    } catch {
      // This also throws if the image is no longer wanted.
      slices.throwIfAborted();
      this.#become('broken', brokenRemark());
    }
  }

  get isReady(): boolean {
    return this.#state !== 'pending';
  }

  render(): TemplateResult {
    const name = nameOf(this.#contents.uri);
    if (this.#state === 'frame')
      return html`<figure class="image" part="image">
        <iframe sandbox="" src=${this.#url!} title=${name} referrerpolicy="no-referrer"></iframe>
      </figure>`;
    if (this.#state !== 'image')
      return html`${this.#renderDownload()} ${this.#bytes?.render() ?? nothing}`;
    const fail = (): void => {
      this.#become('download', undecodableRemark());
      this.#showing.requestUpdate();
    };
    return html`<figure class="image" part="image">
      <img src=${this.#url!} alt=${name} decoding="async" @error=${fail} />
    </figure>`;
  }

  focusNew(): void {
    if (this.#isFocusAsked && this.#bytes?.focus()) this.#isFocusAsked = false;
  }

  dispose(): void {
    if (this.#url !== undefined) URL.revokeObjectURL(this.#url);
    this.#url = undefined;
  }

  #become(state: 'image' | 'slow' | 'download' | 'broken', remark = this.#remark): void {
    this.dispose();
    this.#state = state;
    this.#remark = remark;
    if (!this.#blob) return;
    if (state === 'image')
      this.#url = this.#svgAddress ?? imageAddress(this.#blob, imageTypeOf(this.#contents));
    // A document at a `blob:` address runs in the page's origin when a user opens it in a tab. So a file can
    // only be saved.
    else this.#url = URL.createObjectURL(saved(this.#blob));
  }

  /** Draws an image that may take long. */
  readonly #draw = async (): Promise<void> => {
    const slices = new Slices(this.#showing.signal, () => undefined);
    try {
      const page = await drawingDocument(this.#blob!, undecodableRemark(), slices);
      slices.throwIfAborted();
      this.dispose();
      this.#state = 'frame';
      this.#url = URL.createObjectURL(page);
    } catch {
      if (this.#showing.signal.aborted) return;
      this.#become('broken', brokenRemark());
    }
    this.#showing.requestUpdate();
  };

  /** Renders the button that shows the bytes; nothing for contents that are not bytes, or are broken. */
  #renderBytesButton(): TemplateResult | typeof nothing {
    const hasBytes = this.kind === 'file' && 'blob' in this.#contents && this.#state !== 'broken';
    if (!hasBytes || this.#bytes) return nothing;
    const show = async (): Promise<void> => {
      try {
        const bytes = await ShownElement.of('mcp-view-hex', this.#contents, this.#showing);
        await bytes.prepare(new Slices(this.#showing.signal, () => undefined));
        this.#bytes = bytes;
      } catch (error) {
        this.#remark = renderOutdated(unloadedInWords(), error);
      }
      this.#isFocusAsked = true;
      this.#showing.requestUpdate();
    };
    return html`<button @click=${show}>
      ${msg('Show the bytes', { id: 'mcp.resource-view.show-bytes' })}
    </button>`;
  }

  #renderDownload(): TemplateResult {
    const contents = this.#contents;
    const name = nameOf(contents.uri);
    const unknown = msg('unknown type', { id: 'mcp.resource-view.unknown-type' });
    const type = truncateText(contents.mimeType ?? unknown);
    const isBroken = this.#state === 'broken';
    const remark = this.#remark;
    return html`<div class="download" part="download">
      ${icon(iconFor(contents.mimeType))}
      <strong>${name}</strong>
      <span class="facts">
        <bdi>${type}</bdi
        >${isBroken ? nothing : html` · <bdi>${formatSize(sizeOf(contents))}</bdi>`}
      </span>
      ${
        remark
          ? html`<span class="facts" role=${isBroken ? 'alert' : nothing}>${remark}</span>`
          : nothing
      }
      <span class="actions">
        ${
          this.#state === 'slow'
            ? html`<button @click=${this.#draw}>
                ${msg('Show it anyway', { id: 'mcp.resource-view.show-anyway' })}
              </button>`
            : nothing
        }
        ${this.#renderBytesButton()}
        ${
          this.#url === undefined
            ? nothing
            : html`<a class="button" download=${name} href=${this.#url}>
                ${icon(downloadIcon)} ${msg('Download', { id: 'mcp.resource-view.download' })}
              </a>`
        }
      </span>
    </div>`;
  }
}

/** A file that a browser saves, and does not open. */
const saved = (blob: Blob): Blob => blob.slice(0, blob.size, 'application/octet-stream');

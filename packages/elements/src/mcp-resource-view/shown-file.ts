import type { ResourceContents } from '@inpage-mcp/client';
import { html, nothing, type TemplateResult } from 'lit';
import { formatSize } from '../text/format.js';
import { downloadIcon, icon, iconFor } from '../look/icons.js';
import type { Slices } from '../reading/slices.js';
import { truncateText } from '../text/truncate-text.js';
import { blobOf, sizeOf } from '../reading/content-bytes.js';
import { nameOf } from '../text/name-of.js';
import { isQuickToDraw } from './quick-drawing.js';

const SVG_TYPE = 'image/svg+xml';

/** Media types that `<img>` shows. A script inside an SVG does not run there. */
const IMAGE_TYPES: readonly string[] = [
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  SVG_TYPE,
  'image/webp',
  'image/x-icon',
];

/** An SVG of more bytes is not looked into: it is too large to be drawn unasked. */
const MAX_READ_BYTES = 131_072;

/** Why something is offered as a download only. */
const REMARKS = {
  download: '',
  broken: 'Its bytes cannot be read.',
  undecodable: 'The browser cannot show this image.',
  slow: 'Drawing this image may take long. Until it is drawn, the page may not react.',
};

/** Whether the contents can be shown as an image. */
export function isImage({ mimeType }: ResourceContents): boolean {
  return mimeType !== undefined && IMAGE_TYPES.includes(mimeType);
}

/** An image, or what is offered as a download. */
export class ShownFile {
  readonly #contents: ResourceContents;
  #state: 'pending' | 'image' | keyof typeof REMARKS = 'pending';
  #blob: Blob | undefined;
  #url: string | undefined;

  constructor(contents: ResourceContents) {
    this.#contents = contents;
  }

  /** Whether these are its contents: other ones need another object. */
  accepts(contents: ResourceContents): boolean {
    return contents === this.#contents;
  }

  /** Gets its bytes ready. */
  async prepare(slices: Slices): Promise<void> {
    if (this.#state !== 'pending') return;
    const contents = this.#contents;
    try {
      const blob = await blobOf(contents, slices);
      const isSlow = contents.mimeType === SVG_TYPE && !(await isQuick(blob));
      slices.throwIfAborted();
      this.#blob = blob;
      this.#become(isSlow ? 'slow' : isImage(contents) ? 'image' : 'download');
    } catch {
      // Or it is not wanted any more.
      slices.throwIfAborted();
      this.#become('broken');
    }
  }

  /** Whether there is something to show. */
  get isReady(): boolean {
    return this.#state !== 'pending';
  }

  /** @param onchange Called when it has to be rendered again. */
  render(onchange: () => void): TemplateResult {
    const become = (state: 'image' | 'undecodable') => (): void => {
      this.#become(state);
      onchange();
    };
    if (this.#state !== 'image') return this.#renderDownload(become('image'));
    return html`<figure class="image" part="image">
      <img
        src=${this.#url!}
        alt=${nameOf(this.#contents.uri)}
        decoding="async"
        @error=${become('undecodable')}
      />
    </figure>`;
  }

  /** To be called when it is not shown any more. */
  dispose(): void {
    if (this.#url !== undefined) URL.revokeObjectURL(this.#url);
    this.#url = undefined;
  }

  #become(state: 'image' | keyof typeof REMARKS): void {
    this.dispose();
    this.#state = state;
    if (!this.#blob) return;
    // A document behind a `blob:` address runs in the page's origin when somebody opens it in a tab,
    // so only images keep their type; everything else can be nothing but saved.
    const type = state === 'image' ? this.#contents.mimeType : 'application/octet-stream';
    this.#url = URL.createObjectURL(this.#blob.slice(0, this.#blob.size, type));
  }

  #renderDownload(draw: () => void): TemplateResult {
    const contents = this.#contents;
    const name = nameOf(contents.uri);
    const type = contents.mimeType === undefined ? 'unknown type' : truncateText(contents.mimeType);
    const isBroken = this.#state === 'broken';
    const remark = REMARKS[this.#state as keyof typeof REMARKS];
    return html`<div class="download" part="download">
      ${icon(iconFor(contents.mimeType))}
      <strong>${name}</strong>
      <span class="facts">${type}${isBroken ? nothing : ` · ${formatSize(sizeOf(contents))}`}</span>
      ${
        remark
          ? html`<span class="facts" role=${isBroken ? 'alert' : nothing}>${remark}</span>`
          : nothing
      }
      <span class="actions">
        ${this.#state === 'slow' ? html`<button @click=${draw}>Show it anyway</button>` : nothing}
        ${
          this.#url === undefined
            ? nothing
            : html`<a class="button" download=${name} href=${this.#url}>
                ${icon(downloadIcon)} Download
              </a>`
        }
      </span>
    </div>`;
  }
}

async function isQuick(blob: Blob): Promise<boolean> {
  return blob.size <= MAX_READ_BYTES && isQuickToDraw(await blob.text());
}

import type { BlobResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { downloadIcon, icon, iconFor } from '../../base/look/icons.js';
import { isQuickToDraw } from '../../show/mcp-resource-view/content/quick-drawing.js';
import { blobOf, sizeOf } from '../../reading/content-bytes.js';
import type { Slices } from '../../reading/slices.js';
import { formatSize } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';

const SVG_TYPE = 'image/svg+xml';

/** Media types that `<img>` shows, other than SVG. */
const IMAGE_TYPES: readonly string[] = [
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
];

/** A longer SVG is not drawn. */
const MAX_SVG_BYTES = 32_768;

/** Bytes in a result: an image, a sound, or a download. */
export class ResultFile {
  readonly #contents: BlobResourceContents;
  readonly #name: string;
  #state: 'pending' | 'image' | 'audio' | 'download' | 'broken' = 'pending';
  #url: string | undefined;

  /** @param name For people; empty for a block without a name. */
  constructor(contents: BlobResourceContents, name: string) {
    this.#contents = contents;
    this.#name = name;
  }

  /** Gets its bytes ready; rejects only when the signal of the slices is aborted. */
  async prepare(slices: Slices): Promise<void> {
    try {
      const blob = await blobOf(this.#contents, slices);
      const state = await this.#stateFor(blob);
      slices.throwIfAborted();
      this.#become(state, blob);
    } catch {
      slices.throwIfAborted();
      this.#state = 'broken';
    }
  }

  /** To be called when it is no longer shown. */
  dispose(): void {
    if (this.#url !== undefined) URL.revokeObjectURL(this.#url);
    this.#url = undefined;
  }

  /** @param onchange Called when it has to be rendered again. */
  render(onchange: () => void): TemplateResult {
    const giveUp = (): void => {
      this.#state = 'download';
      onchange();
    };
    if (this.#state === 'image')
      return html`<img
        part="image"
        src=${this.#url!}
        alt=${this.#name || msg('Image from the tool', { id: 'mcp.tool-form.image' })}
        decoding="async"
        @error=${giveUp}
      />`;
    if (this.#state === 'audio')
      return html`<audio
        part="audio"
        controls
        src=${this.#url!}
        aria-label=${this.#name || msg('Sound from the tool', { id: 'mcp.tool-form.audio' })}
        @error=${giveUp}
      ></audio>`;
    return this.#renderDownload();
  }

  async #stateFor(blob: Blob): Promise<'image' | 'audio' | 'download'> {
    const { mimeType = '' } = this.#contents;
    if (IMAGE_TYPES.includes(mimeType)) return 'image';
    if (mimeType.startsWith('audio/')) return 'audio';
    const isSmallSvg = mimeType === SVG_TYPE && blob.size <= MAX_SVG_BYTES;
    return isSmallSvg && isQuickToDraw(await blob.text()) ? 'image' : 'download';
  }

  #become(state: 'image' | 'audio' | 'download', blob: Blob): void {
    this.dispose();
    this.#state = state;
    // A document behind a `blob:` address would run in the origin of the page: no such type is kept.
    const { mimeType } = this.#contents;
    const type = state === 'download' ? 'application/octet-stream' : mimeType;
    this.#url = URL.createObjectURL(blob.slice(0, blob.size, type));
  }

  #renderDownload(): TemplateResult {
    const { mimeType = '' } = this.#contents;
    const name = this.#name || msg('File from the tool', { id: 'mcp.tool-form.file' });
    const [type, size] = [truncateText(mimeType), formatSize(sizeOf(this.#contents))];
    return html`<div class="file">
      ${icon(iconFor(mimeType))}
      <span class="names">
        <span><bdi>${name}</bdi></span>
        <span class="facts"><bdi>${type}</bdi>${type ? ' · ' : nothing}<bdi>${size}</bdi></span>
      </span>
      ${
        this.#url === undefined
          ? nothing
          : html`<a class="button" download=${name} href=${this.#url}>
              ${icon(downloadIcon)} ${msg('Download', { id: 'mcp.tool-form.download' })}
            </a>`
      }
      ${
        this.#state === 'broken'
          ? html`<span class="facts"
              >${msg('Its bytes cannot be read.', { id: 'mcp.tool-form.broken' })}</span
            >`
          : nothing
      }
    </div>`;
  }
}

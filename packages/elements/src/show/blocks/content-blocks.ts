import type { ContentBlock, Resource, ResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { css, html, nothing, type TemplateResult } from 'lit';
import { chevronIcon, downloadIcon, icon, iconFor } from '../../base/look/icons.js';
import { LongText } from '../../base/look/long-text.js';
import { formatNumber, formatSize } from '../../base/text/format.js';
import { nameOf } from '../../base/text/name-of.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { blobOf, sizeOf } from '../../reading/content-bytes.js';
import { Slices } from '../../reading/slices.js';

/** The media types that are played. Those of XML are not among them: they would be documents in a tab. */
const AUDIO_TYPE = /^audio\/[\w.-]{1,60}$/;

/** The media types that are shown as an image. SVG is not among them, because drawing it may take long. */
const IMAGE_TYPE = /^image\/(avif|bmp|gif|jpeg|png|webp)$/;

/** The parts of its element that a block needs. */
export interface BlockActions {
  /** Called when the block has to be rendered again. */
  update(): void;
  /** Called when the user has chosen a link. Default: a link is shown, but leads nowhere. */
  open?(resource: Resource): void;
}

/**
 * A content block of a result or a message, shown without running or loading anything: a text as it is, an
 * image or a sound from its bytes, a link, and any other block as a download.
 */
export class ShownBlock {
  /** The whole text; `undefined` for other blocks. */
  readonly text: string | undefined;
  readonly #actions: BlockActions;
  readonly #link: Resource | undefined;
  readonly #uri: string = '';
  readonly #longText: LongText | undefined;
  readonly #bytes: ResourceContents | undefined;
  #state: 'pending' | 'image' | 'audio' | 'download' | 'broken' = 'pending';
  #blob: Blob | undefined;
  #url: string | undefined;

  constructor(block: ContentBlock, actions: BlockActions) {
    this.#actions = actions;
    if (block.type === 'resource_link') this.#link = block;
    else if (block.type === 'text') this.text = block.text;
    else if (block.type === 'resource') {
      const { resource } = block;
      this.#uri = resource.uri;
      if ('text' in resource) this.text = resource.text;
      else this.#bytes = resource;
    } else this.#bytes = { uri: '', mimeType: block.mimeType, blob: block.data };
    if (this.text !== undefined) this.#longText = new LongText(this.text);
  }

  /** Decodes the bytes of the block, if it has any. Rejects only when the signal of the slices is aborted. */
  async prepare(slices: Slices): Promise<void> {
    if (!this.#bytes) return;
    const { mimeType = '' } = this.#bytes;
    try {
      const blob = await blobOf(this.#bytes, slices);
      slices.throwIfAborted();
      const isImage = IMAGE_TYPE.test(mimeType);
      this.#state = isImage ? 'image' : AUDIO_TYPE.test(mimeType) ? 'audio' : 'download';
      this.#blob = blob;
      this.#setAddress();
    } catch {
      slices.throwIfAborted();
      this.#state = 'broken';
    }
    this.#actions.update();
  }

  /** Releases its address. Must be called when it is no longer shown. */
  dispose(): void {
    if (this.#url !== undefined) URL.revokeObjectURL(this.#url);
  }

  #setAddress(): void {
    this.dispose();
    const blob = this.#blob!;
    // A document at a `blob:` address would run in the origin of the page, so no type of documents is kept.
    const type = this.#state === 'download' ? 'application/octet-stream' : this.#bytes!.mimeType!;
    this.#url = URL.createObjectURL(blob.slice(0, blob.size, type));
  }

  render(): TemplateResult {
    if (this.#link) return this.#renderLink(this.#link);
    if (this.#bytes) return this.#renderBytes(this.#bytes);
    return html`${this.#uri ? html`<p class="facts"><bdi>${truncateText(this.#uri)}</bdi></p>` : nothing}
    ${this.#longText!.render()} ${this.#longText!.renderMore(() => this.#actions.update())}`;
  }

  #renderLink(resource: Resource): TemplateResult {
    const { uri, mimeType, title, name } = resource;
    const texts = html`${icon(iconFor(mimeType))}
      <span class="names">
        <span><bdi>${truncateText(title || name)}</bdi></span>
        <span class="facts"><bdi>${truncateText(uri)}</bdi></span>
      </span>`;
    if (!this.#actions.open) return html`<div class="file">${texts}</div>`;
    const open = (): void => this.#actions.open!(resource);
    return html`<button type="button" class="link" part="link" @click=${open}>
      ${texts} ${icon(chevronIcon)}
    </button>`;
  }

  #renderBytes(contents: ResourceContents): TemplateResult {
    const name = nameOf(this.#uri);
    const giveUp = (): void => {
      this.#state = 'download';
      this.#setAddress();
      this.#actions.update();
    };
    if (this.#state === 'image')
      return html`<img
        part="image"
        src=${this.#url!}
        alt=${name || msg('Image', { id: 'mcp.block.image' })}
        decoding="async"
        @error=${giveUp}
      />`;
    if (this.#state === 'audio')
      return html`<audio
        part="audio"
        controls
        src=${this.#url!}
        aria-label=${name || msg('Sound', { id: 'mcp.block.audio' })}
        @error=${giveUp}
      ></audio>`;
    return this.#renderDownload(contents, name || msg('File', { id: 'mcp.block.file' }));
  }

  #renderDownload(contents: ResourceContents, name: string): TemplateResult {
    const { mimeType = '' } = contents;
    const [type, size] = [truncateText(mimeType), formatSize(Math.round(sizeOf(contents)))];
    const broken = msg('Its bytes cannot be read.', { id: 'mcp.block.broken' });
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
              ${icon(downloadIcon)} ${msg('Download', { id: 'mcp.block.download' })}
            </a>`
      }
      ${this.#state === 'broken' ? html`<span class="facts">${broken}</span>` : nothing}
    </div>`;
  }
}

/** The number of blocks that are shown at first. */
const FIRST_BLOCKS = 50;

/** The content blocks of an answer: a first part of them, and more when the user asks. */
export class BlockList {
  readonly #blocks: readonly ContentBlock[];
  readonly #actions: BlockActions;
  readonly #shown: ShownBlock[] = [];
  readonly #work = new AbortController();

  constructor(blocks: readonly ContentBlock[], actions: BlockActions) {
    this.#blocks = blocks;
    this.#actions = actions;
    this.#showMore();
  }

  /** The number of blocks of the answer. */
  get length(): number {
    return this.#blocks.length;
  }

  /** The blocks that are shown, in their order. */
  get shown(): readonly ShownBlock[] {
    return this.#shown;
  }

  /** Releases the blocks. Must be called when they are no longer shown. */
  dispose(): void {
    this.#work.abort();
    for (const block of this.#shown) block.dispose();
  }

  /** Renders the number of shown blocks, with a button for more; nothing if all are shown. */
  renderMore(): TemplateResult | typeof nothing {
    if (this.#shown.length === this.#blocks.length) return nothing;
    const [count, total] = [this.#shown, this.#blocks].map(({ length }) => formatNumber(length));
    const more = (): void => {
      this.#showMore();
      this.#actions.update();
    };
    return html`<p class="more">
      <span>${msg(str`Parts shown: ${count!} of ${total!}`, { id: 'mcp.block.parts' })}</span>
      <button type="button" @click=${more}>
        ${msg('Show more', { id: 'mcp.long-text.more' })}
      </button>
    </p>`;
  }

  #showMore(): void {
    const start = this.#shown.length;
    const next = this.#blocks.slice(start, start + Math.max(FIRST_BLOCKS, start));
    this.#shown.push(...next.map((block) => new ShownBlock(block, this.#actions)));
    this.#prepare(this.#shown.slice(start)).catch(() => undefined);
  }

  /** Prepares blocks. Rejects when they are no longer shown. */
  async #prepare(blocks: readonly ShownBlock[]): Promise<void> {
    const slices = new Slices(this.#work.signal, () => undefined);
    for (const block of blocks) await block.prepare(slices);
  }
}

/** The styles of blocks; after those of the theme and of long texts. */
export const blockStyles = css`
  .block {
    padding: 0.7rem 0.9rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    overflow: hidden;
    content-visibility: auto;
    contain-intrinsic-block-size: auto 6rem;
  }

  .facts {
    margin: 0;
    color: var(--_muted);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }

  .block > .facts {
    margin-block-end: 0.3rem;
  }

  .block > img {
    display: block;
    max-inline-size: 100%;
    max-block-size: 70vh;
    margin-inline: auto;
    border-radius: 4px;
    background: repeating-conic-gradient(var(--_raised) 0 25%, var(--_surface) 0 50%) 0 / 20px 20px;
  }

  .block > audio {
    display: block;
    inline-size: 100%;
  }

  .file,
  button.link {
    display: flex;
    align-items: center;
    gap: 0.7rem;
  }

  .file {
    flex-wrap: wrap;
  }

  button.link {
    justify-content: flex-start;
    inline-size: 100%;
    text-align: start;
  }

  button.link:dir(rtl) > .icon:last-child {
    scale: -1 1;
  }

  .names {
    display: grid;
    flex: 1;
    min-inline-size: 8rem;
    overflow-wrap: anywhere;
  }

  :is(.file, button.link) > .icon {
    color: var(--_muted);
  }
`;

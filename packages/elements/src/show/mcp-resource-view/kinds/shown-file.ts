import type { ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { css, html, nothing, type TemplateResult } from 'lit';
import { formatSize } from '../../../base/text/format.js';
import { renderOutdated } from '../../../base/look/messages.js';
import { downloadIcon, icon, iconFor } from '../../../base/look/icons.js';
import type { Slices } from '../../../reading/slices.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { blobOf, sizeOf } from '../../../reading/content-bytes.js';
import { nameOf } from '../../../base/text/name-of.js';
import { rendererFor } from '../../renderers/renderers.js';
import { adoptStyles } from '../../../base/look/adopt-styles.js';
import { typeOf } from '../content/content-kind.js';
import { isQuick } from '../content/quick-drawing.js';
import type { Showing, ShownContent } from '../content/shown-content.js';
import { ShownElement } from './shown-element.js';

/** Images and downloads. */
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

  .image > img {
    max-inline-size: 100%;
    border-radius: var(--_radius);
    background: repeating-conic-gradient(var(--_raised) 0 25%, var(--_surface) 0 50%) 0 / 20px 20px;
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

const SVG_TYPE = 'image/svg+xml';

/** Why something is offered as a download only. */
type Reason = 'download' | 'broken' | 'undecodable' | 'slow' | 'unloaded';

function remarkFor(reason: Reason): string {
  if (reason === 'broken')
    return msg('Its bytes cannot be read.', { id: 'mcp.resource-view.broken' });
  if (reason === 'undecodable')
    return msg('The browser cannot show this image.', { id: 'mcp.resource-view.undecodable' });
  if (reason === 'slow')
    return msg('Drawing this image may take long. Until it is drawn, the page may not react.', {
      id: 'mcp.resource-view.slow',
    });
  if (reason === 'unloaded')
    return msg('The formatted view could not be loaded.', { id: 'mcp.resource-view.unloaded' });
  return '';
}

/** An image, or what is offered as a download. */
export class ShownFile implements ShownContent {
  readonly kind: string;
  readonly #showing: Showing;
  readonly #contents: ResourceContents;
  readonly #shownAs: 'image' | 'download' | 'unloaded';
  /** Why the formatted view could not be loaded. */
  #failure: unknown;
  #state: 'pending' | 'image' | Reason = 'pending';
  #blob: Blob | undefined;
  #url: string | undefined;
  /** What shows the bytes, once the user wants that. */
  #bytes: ShownElement | undefined;
  #isFocusAsked = false;

  /** @param failure Why the renderer in whose place it stands could not be loaded. Default: in no place. */
  constructor(contents: ResourceContents, showing: Showing, kind: string, failure?: unknown) {
    this.kind = kind;
    this.#contents = contents;
    this.#showing = showing;
    this.#failure = failure;
    this.#shownAs = failure ? 'unloaded' : kind === 'image' ? 'image' : 'download';
    adoptStyles(showing.root, styles);
  }

  accepts(contents: ResourceContents): boolean {
    return contents === this.#contents;
  }

  async prepare(slices: Slices): Promise<void> {
    if (this.#state !== 'pending') return;
    const contents = this.#contents;
    try {
      const blob = await blobOf(contents, slices);
      const isSlow = typeOf(contents) === SVG_TYPE && !(await isQuick(blob));
      slices.throwIfAborted();
      this.#blob = blob;
      this.#become(isSlow ? 'slow' : this.#shownAs);
    } catch {
      // Or it is not wanted any more.
      slices.throwIfAborted();
      this.#become('broken');
    }
  }

  get isReady(): boolean {
    return this.#state !== 'pending';
  }

  render(): TemplateResult {
    const become = (state: 'image' | 'undecodable') => (): void => {
      this.#become(state);
      this.#showing.requestUpdate();
    };
    if (this.#state !== 'image')
      return html`${this.#renderDownload(become('image'))} ${this.#bytes?.render() ?? nothing}`;
    return html`<figure class="image" part="image">
      <img
        src=${this.#url!}
        alt=${nameOf(this.#contents.uri)}
        decoding="async"
        @error=${become('undecodable')}
      />
    </figure>`;
  }

  focusNew(): void {
    if (this.#isFocusAsked && this.#bytes?.focus()) this.#isFocusAsked = false;
  }

  dispose(): void {
    if (this.#url !== undefined) URL.revokeObjectURL(this.#url);
    this.#url = undefined;
  }

  #become(state: 'image' | Reason): void {
    this.dispose();
    this.#state = state;
    if (!this.#blob) return;
    // A document behind a `blob:` address runs in the page's origin when somebody opens it in a tab,
    // so only images keep their type; everything else can be nothing but saved.
    const type = state === 'image' ? typeOf(this.#contents) : 'application/octet-stream';
    this.#url = URL.createObjectURL(this.#blob.slice(0, this.#blob.size, type));
  }

  /** Nothing for what is not bytes, or has no element that shows them. */
  #renderBytesButton(): TemplateResult | typeof nothing {
    const renderer = this.#shownAs === 'download' ? rendererFor(this.#contents) : undefined;
    if (!renderer || this.#bytes || this.#state === 'broken') return nothing;
    const show = async (): Promise<void> => {
      await renderer.load().then(
        () => (this.#bytes = new ShownElement(renderer.tag, this.#contents, this.#showing)),
        (error: unknown) => {
          this.#failure = error;
          this.#become('unloaded');
        },
      );
      this.#isFocusAsked = true;
      this.#showing.requestUpdate();
    };
    return html`<button @click=${show}>
      ${msg('Show the bytes', { id: 'mcp.resource-view.show-bytes' })}
    </button>`;
  }

  #renderDownload(draw: () => void): TemplateResult {
    const contents = this.#contents;
    const name = nameOf(contents.uri);
    const unknown = msg('unknown type', { id: 'mcp.resource-view.unknown-type' });
    const type = truncateText(contents.mimeType ?? unknown);
    const isBroken = this.#state === 'broken';
    const remark = remarkFor(this.#state as Reason);
    return html`<div class="download" part="download">
      ${icon(iconFor(contents.mimeType))}
      <strong>${name}</strong>
      <span class="facts">
        <bdi>${type}</bdi
        >${isBroken ? nothing : html` · <bdi>${formatSize(sizeOf(contents))}</bdi>`}
      </span>
      ${
        remark
          ? html`<span class="facts" role=${isBroken ? 'alert' : nothing}
              >${remark}
              ${this.#state === 'unloaded' ? renderOutdated(this.#failure) : nothing}</span
            >`
          : nothing
      }
      <span class="actions">
        ${
          this.#state === 'slow'
            ? html`<button @click=${draw}>
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

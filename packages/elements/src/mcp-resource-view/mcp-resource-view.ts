import type {
  BlobResourceContents,
  McpClient,
  ResourceContents,
  TextResourceContents,
} from '@inpage-mcp/client';
import { TaskStatus } from '@lit/task';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { ClientSource } from '../client-context.js';
import { McpResourceLoadEvent } from '../events.js';
import { formatError, formatSize } from '../format.js';
import { icon, iconFor } from '../icons.js';
import { ResourceController, type ResourceReading } from '../resource-controller.js';
import { theme } from '../theme.js';
import { styles } from './mcp-resource-view.styles.js';
import { isImage, ObjectUrls } from './object-urls.js';
import { isEmpty, sizeOf } from './content-bytes.js';

/** Types that are prose rather than code. */
const PROSE_TYPES: readonly (string | undefined)[] = ['text/markdown', 'text/plain', undefined];

/** Markdown longer than this is shown as plain text: reading it would hold up the page. */
export const MAX_MARKDOWN_LENGTH = 200_000;

type RenderMarkdown = (text: string) => TemplateResult;

/**
 * One resource: Markdown formatted, other text as it is, images as images, a download for the
 * rest. Reads it again whenever the server says that it was updated. Nothing in a resource is ever
 * run, or loaded from elsewhere.
 *
 * Takes its client from `<mcp-provider>` or from its `client` property.
 *
 * @element mcp-resource-view
 * @slot empty - Shown while there is no `uri`.
 * @fires mcp-resource-load - The resource is shown, for the first time or again.
 * @csspart markdown - A formatted text.
 * @csspart text - A text.
 * @csspart image - An image.
 * @csspart download - What is offered as a download.
 * @csspart one - One of several contents, as those of a folder.
 */
export class McpResourceView extends LitElement {
  static override readonly styles = [theme, styles];

  static override readonly properties = {
    client: { attribute: false },
    uri: {},
  };

  /** The client to use instead of the provider's. Default: none. */
  declare client: McpClient | undefined;
  /** The address of the resource. Default: none. */
  declare uri: string | undefined;

  readonly #source = new ClientSource(this);
  readonly #urls = new ObjectUrls();
  /** `undefined` until it is needed, `null` when it could not be loaded. */
  #renderMarkdown: RenderMarkdown | null | undefined;
  readonly #resource = new ResourceController(
    this,
    () => ({ client: this.#source.client, uri: this.uri || undefined }),
    ({ uri, durationMs }) => this.dispatchEvent(new McpResourceLoadEvent(uri, durationMs)),
  );

  /** Reads the resource again. */
  reload(): void {
    this.#resource.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#urls.keep([]);
  }

  protected override render(): TemplateResult {
    const { task } = this.#resource;
    if (!this.uri) {
      return html`<div class="message">
        <slot name="empty">Choose a resource to read it.</slot>
      </div>`;
    }
    // A refresh keeps what was there; another resource does not.
    const reading = task.value?.uri === this.uri ? task.value : undefined;
    if (task.status === TaskStatus.ERROR) return this.#renderError(task.error);
    if (!reading) return renderLoading();
    return html`${this.#renderReading(reading)}${renderUnusable(reading)}`;
  }

  #renderReading({ result: { contents } }: ResourceReading): TemplateResult {
    this.#urls.keep(contents);
    if (contents.every(isEmpty)) return html`<div class="message">This resource is empty.</div>`;
    if (contents.length === 1) return this.#renderContents(contents[0]!);
    return html`${contents.map((one) => this.#renderAmongOthers(one))}`;
  }

  /** One of several, as in a folder: with its name, where it does not show that by itself. */
  #renderAmongOthers(contents: ResourceContents): TemplateResult {
    const isNamed = 'blob' in contents && !isImage(contents);
    const name = nameOf(contents.uri);
    return html`<section class="one" part="one" aria-label=${name}>
      ${isNamed ? nothing : html`<p class="name">${name}</p>`} ${this.#renderContents(contents)}
    </section>`;
  }

  #renderContents(contents: ResourceContents): TemplateResult {
    if (isImage(contents)) return this.#renderImage(contents);
    if ('blob' in contents) return this.#renderDownload(contents);
    if (contents.mimeType === 'text/markdown' && contents.text.length <= MAX_MARKDOWN_LENGTH) {
      return this.#renderFormatted(contents);
    }
    return this.#renderPlain(contents);
  }

  #renderFormatted(contents: TextResourceContents): TemplateResult {
    if (this.#renderMarkdown === undefined) {
      void this.#loadMarkdown();
      return renderLoading();
    }
    try {
      if (this.#renderMarkdown) {
        return html`<div part="markdown" dir="auto">${this.#renderMarkdown(contents.text)}</div>`;
      }
    } catch {
      // Nested too deep to be read: what it says still shows.
    }
    return this.#renderPlain(contents);
  }

  #renderPlain(contents: TextResourceContents): TemplateResult {
    const code = PROSE_TYPES.includes(contents.mimeType) ? '' : ' code';
    return html`<pre class=${`text${code}`} part="text" tabindex="0">${contents.text}</pre>`;
  }

  async #loadMarkdown(): Promise<void> {
    const loaded = await import('./markdown.js').catch(() => undefined);
    this.#renderMarkdown = loaded?.renderMarkdown ?? null;
    this.requestUpdate();
  }

  #renderImage(contents: ResourceContents): TemplateResult {
    return html`<figure class="image" part="image">
      <img src=${this.#urls.get(contents)} alt=${nameOf(contents.uri)} />
    </figure>`;
  }

  #renderDownload(contents: BlobResourceContents): TemplateResult {
    const name = nameOf(contents.uri);
    const size = sizeOf(contents);
    return html`<div class="download" part="download">
      ${icon(iconFor(contents.mimeType))}
      <strong>${name}</strong>
      <span class="facts">${contents.mimeType ?? 'unknown type'} · ${formatSize(size)}</span>
      <a class="button" download=${name} href=${this.#urls.get(contents)}>
        ${icon('download')} Download
      </a>
    </div>`;
  }

  #renderError(error: unknown): TemplateResult {
    return html`<div class="message" role="alert">
      <span>${formatError(error)}</span>
      <button @click=${this.reload}>Try again</button>
    </div>`;
  }
}

/** Says how much is missing. */
function renderUnusable({ result: { unusable = 0 } }: ResourceReading): TemplateResult | undefined {
  if (unusable === 0) return undefined;
  const which = unusable === 1 ? 'One part' : `${unusable.toLocaleString()} parts`;
  return html`<p class="name" role="note">${which} of this resource cannot be shown.</p>`;
}

function renderLoading(): TemplateResult {
  return html`<div class="skeletons" aria-busy="true" role="group" aria-label="Loading">
    ${Array.from({ length: 4 }, () => html`<div class="skeleton"></div>`)}
  </div>`;
}

/** The last segment of an address, as its owner wrote it; of a folder with its slash. */
function nameOf(uri: string): string {
  const segment = uri.slice(uri.lastIndexOf('/', uri.length - 2) + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-resource-view': McpResourceView;
  }
}

import type { ResourceContents } from '@inpage-mcp/client';
import { TaskStatus } from '@lit/task';
import { html, nothing, type TemplateResult } from 'lit';
import { McpElement } from '../element/mcp-element.js';
import { McpResourceLoadEvent } from './events.js';
import { ResourceController, type ResourceReading } from '../reading/resource-controller.js';
import { renderError, renderLoading } from '../look/messages.js';
import { theme } from '../look/theme.js';
import { isEmpty } from '../reading/content-bytes.js';
import { styles } from './mcp-resource-view.styles.js';
import { nameOf } from '../text/name-of.js';
import { PortionedText } from './portioned-text.js';
import { renderMore } from './render-more.js';
import { ShownContents, type ShownContent } from './shown-contents.js';
import { isImage } from './shown-file.js';

/**
 * One resource: Markdown formatted, other text as it is, images as images, a download for the
 * rest. Reads it again whenever the server says that it was updated. Nothing in a resource is ever
 * run, or loaded from elsewhere.
 *
 * Of long contents it shows the first part, and more when the user asks: whatever the server sends,
 * the page goes on answering its user.
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
 * @csspart more - How much is shown of what there is, with the button for more.
 */
export class McpResourceView extends McpElement {
  static override readonly styles = [theme, styles];

  static override readonly properties = {
    uri: {},
  };

  /** The address of the resource. Default: none. */
  declare uri: string | undefined;

  readonly #contents = new ShownContents(this);
  /** What `#contents` shows. */
  #shown: ResourceReading | undefined;
  readonly #resource = new ResourceController(
    this,
    () => ({ client: this.connection.client, uri: this.uri || undefined }),
    ({ uri, durationMs }) => this.dispatchEvent(new McpResourceLoadEvent(uri, durationMs)),
  );

  /** Reads the resource again. */
  reload(): void {
    this.#resource.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#shown = undefined;
  }

  protected override willUpdate(): void {
    const reading = this.#reading();
    if (reading === this.#shown) return;
    if (reading?.uri !== this.#shown?.uri) this.#contents.clear();
    this.#shown = reading;
    if (reading) this.#contents.show(reading.result.contents);
  }

  protected override render(): TemplateResult {
    if (!this.uri) {
      return html`<div class="message">
        <slot name="empty">Choose a resource to read it.</slot>
      </div>`;
    }
    const { task } = this.#resource;
    if (task.status === TaskStatus.ERROR) return renderError(task.error, () => this.reload());
    if (!this.#shown) return renderLoading();
    return html`${this.#renderContents(this.#shown.result.contents)}${renderUnusable(this.#shown)}`;
  }

  /** What was read last. A refresh keeps what was there; another resource does not. */
  #reading(): ResourceReading | undefined {
    const { value } = this.#resource.task;
    return this.uri && value?.uri === this.uri ? value : undefined;
  }

  #renderContents(contents: readonly ResourceContents[]): TemplateResult {
    if (contents.every(isEmpty)) return html`<div class="message">This resource is empty.</div>`;
    const { limit } = this.#contents;
    const shown = this.#contents.shown.slice(0, contents.length);
    if (shown.length === 0) return renderLoading();
    if (contents.length === 1) return html`${this.#renderOne(shown[0]!)}`;
    const more = (): void => this.#contents.showMoreContents();
    return html`${shown.map((one, index) => this.#renderAmongOthers(one, contents[index]!))}
    ${
      contents.length > limit
        ? renderMore(shown.length, contents.length, 'contents', more)
        : nothing
    }`;
  }

  /** One of several, as in a folder: with its name, where it does not show that by itself. */
  #renderAmongOthers(shown: ShownContent, contents: ResourceContents): TemplateResult {
    const isNamed = 'blob' in contents && !isImage(contents);
    const name = nameOf(contents.uri);
    return html`<section class="one" part="one" aria-label=${name}>
      ${isNamed ? nothing : html`<p class="name">${name}</p>`} ${this.#renderOne(shown)}
    </section>`;
  }

  #renderOne(shown: ShownContent): TemplateResult {
    if (!shown.isReady) return renderLoading();
    return shown instanceof PortionedText
      ? shown.render(() => this.#contents.showMoreOf(shown))
      : shown.render(() => this.requestUpdate());
  }
}

/** Says how much is missing. */
function renderUnusable({ result: { unusable = 0 } }: ResourceReading): TemplateResult | undefined {
  if (unusable === 0) return undefined;
  const which = unusable === 1 ? 'One part' : `${unusable.toLocaleString()} parts`;
  return html`<p class="name" role="note">${which} of this resource cannot be shown.</p>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-resource-view': McpResourceView;
  }
}

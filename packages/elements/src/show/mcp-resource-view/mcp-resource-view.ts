import type { Resource } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, type PropertyValues, type TemplateResult } from 'lit';
import { LazyPart } from '../../base/element/lazy-part.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { renderError, renderLoading } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import type { ViewMode } from './content/kinds.js';
import { styles } from './mcp-resource-view.styles.js';

const STATES = ['loading', 'empty', 'error', 'stale', 'updated', 'reconnecting', 'closed'];

/**
 * One resource in the format of its media type: Markdown formatted, images as images, other text as
 * it is, a download for the rest. Reads it again whenever the server says that it was updated, and
 * marks the lines that have changed. Nothing in a resource is ever run, or loaded from elsewhere.
 *
 * Of long contents it shows the first part, and more when the user asks: whatever the server sends,
 * the page goes on answering its user.
 *
 * Takes its client from `<mcp-provider>` or from its `client` property.
 *
 * @element mcp-resource-view
 * @slot empty - Shown while there is no `uri`.
 * @slot actions - The buttons in the header. Default: copy, download, live updates and reading again.
 * @fires mcp-resource-load - The resource is shown, for the first time or again.
 * @fires mcp-resource-change - The resource has other contents than before. Cancelable: without
 *   marks and announcement, as for a change of the user's own.
 * @fires mcp-resource-link - The user has followed a link to another resource. Cancelable.
 * @fires mcp-resource-back - The user wants to go back after a link was followed. Cancelable.
 * @fires mcp-folder-allow - The user wants to allow the page a folder of the disk again.
 * @csspart back - The line with the way back, after a link was followed.
 * @csspart header - Title, facts and actions, with `header`.
 * @csspart title - The title in the header.
 * @csspart details - The facts in the header: size, tokens, time of the last change and so on.
 * @csspart changes - The line that says that an update has changed the resource, and who did it.
 * @csspart encoding - The line that names a guessed encoding of a text, with others to choose from.
 * @csspart body - What is shown of the resource.
 * @csspart markdown - A formatted text.
 * @csspart text - A text.
 * @csspart image - An image.
 * @csspart download - What is offered as a download.
 * @csspart one - One of several contents, as those of a folder.
 * @csspart more - How much is shown of what there is, with the button for more.
 * @csspart error - A failure.
 * @csspart connection - A line that says that the connection is lost.
 * @cssprop --mcp-color-updated - The background of what an update has changed.
 * @cssstate loading - The resource is read for the first time.
 * @cssstate empty - There is no `uri`, or the resource has no bytes.
 * @cssstate error - The resource cannot be read.
 * @cssstate stale - The resource may have changed since it was read.
 * @cssstate updated - What an update has changed is marked.
 * @cssstate reconnecting - The connection is lost, and the client opens another.
 * @cssstate closed - The connection has ended.
 */
export class McpResourceView extends McpElement {
  static override readonly styles = [theme, styles];

  static override readonly properties = {
    uri: {},
    mode: {},
    header: { type: Boolean },
    paused: { type: Boolean, reflect: true },
    followLinks: { type: Boolean, attribute: 'follow-links' },
    resource: { attribute: false },
  };

  /** The address of the resource. Default: none. */
  declare uri: string | undefined;
  /**
   * The view mode: `formatted`, or `source` for texts as they were written. Default: `auto`, which formats
   * all texts except HTML. The user's choice in the header sets it.
   */
  declare mode: ViewMode;
  /** Whether title, facts and actions are shown above the resource. Default: false. */
  declare header: boolean;
  /** Whether updates of the server are only recorded, but not read. Default: false. */
  declare paused: boolean;
  /**
   * Whether a link to another resource of the server opens it in this view, with a button that goes back.
   * Default: false.
   */
  declare followLinks: boolean;
  /**
   * The entry of a list for the resource: its title, size and annotations for the header. Default: the facts
   * that the server sends in `_meta` of the contents, if any.
   */
  declare resource: Resource | undefined;

  readonly #shown = new LazyPart(
    async () => {
      const { ShownResource } = await import('./shown-resource.js');
      return new ShownResource(this, this.connection);
    },
    () => this.requestUpdate(),
  );

  constructor() {
    super();
    this.mode = 'auto';
    this.header = false;
    this.paused = false;
    this.followLinks = false;
  }

  /** Reads the resource again. */
  reload(): void {
    this.#shown.value?.reload();
  }

  /** Goes back from a resource to the one whose link was followed, at its former position. */
  back(): void {
    this.#shown.value?.back();
  }

  /** Removes the marks of the last update. */
  clearChanges(): void {
    this.#shown.value?.clearChanges();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.uri && !this.#shown.error) void this.#shown.load();
    this.#shown.value?.update(changed);
  }

  protected override update(changed: PropertyValues<this>): void {
    // This runs after the controllers, which may have begun to read.
    const { value, error } = this.#shown;
    const own = value?.states ?? [!error && 'loading'];
    const states = [...(this.uri ? own : ['empty']), this.connection.state];
    for (const name of STATES) this.setState(name, states.includes(name));
    super.update(changed);
  }

  protected override render(): TemplateResult {
    const { value, error } = this.#shown;
    if (this.uri && value) return value.render();
    if (this.uri)
      return error ? renderError(error, () => void this.#shown.load()) : renderLoading();
    return html`<div class="message">
      <slot name="empty"
        >${msg('Choose a resource to read it.', { id: 'mcp.resource-view.choose' })}</slot
      >
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-resource-view': McpResourceView;
  }
}

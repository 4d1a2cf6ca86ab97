import type { McpClient, Resource } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { LazyPart } from '../../base/element/lazy-part.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { renderConnection, renderError, renderLoading } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { isEmpty } from '../../reading/content-size.js';
import { noResourcesInWords } from '../../reading/declared.js';
import { ResourceController, type ResourceReading } from '../../reading/resource-controller.js';
import type { ViewMode } from './content/kinds.js';
import { styles } from './mcp-resource-view.styles.js';
import type { ViewBody } from './view-body.js';
import type { ViewHeader } from './header/view-header.js';

/** What an error of a server means that says that it has no such resource. */
const MISSING_CODES: readonly unknown[] = [-32602, -32002];

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
   * `formatted`, or `source`: texts as they were written. Default: `auto`, which formats everything
   * but HTML. The user's choice in the header sets it.
   */
  declare mode: ViewMode;
  /** Whether title, facts and actions stand above the resource. Default: false. */
  declare header: boolean;
  /** Whether updates of the server are only noted, not read. Default: false. */
  declare paused: boolean;
  /**
   * Whether a link to another resource of the server opens it in this view, with a way back. Default:
   * false.
   */
  declare followLinks: boolean;
  /**
   * What a list says of the resource: its title, size and annotations for the header. Default:
   * what the server says in `_meta` of the contents, if anything.
   */
  declare resource: Resource | undefined;

  readonly #body = new LazyPart(
    () => this.#createBody(),
    () => {
      if (this.#shown) this.#show(this.#shown);
      this.requestUpdate();
    },
  );
  /** What the body shows, and from whom it is. */
  #shown: ResourceReading | undefined;
  #shownFrom: McpClient | undefined;
  /** What compares a reading with the one before. */
  readonly #changes = new LazyPart(async () => {
    const { Changes } = await import('./changes/changes.js');
    return new Changes({ view: this, announce: this.#announce });
  });
  readonly #header = new LazyPart(
    () => this.#createHeader(),
    (isThere) => isThere && this.requestUpdate(),
  );
  #announcement = '';
  /** What the user has chosen for the texts of this resource. */
  #encoding: string | undefined;
  readonly #resource = new ResourceController(
    this,
    () => ({
      client: this.connection.client,
      uri: this.uri || undefined,
      isPaused: this.paused,
      size: this.resource?.uri === this.uri ? this.resource?.size : undefined,
      encoding: this.#encoding,
    }),
    (reading) => this.#onLoad(reading),
    async () => {
      // At the first reading that has one before.
      if (this.#shown) await this.#changes.load();
    },
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
    this.#resource.reload();
  }

  /** Goes back from a resource to the one with the link that was followed to it, to its place. */
  back(): void {
    this.#body.value?.back();
  }

  /** Removes the marks of the last update. */
  clearChanges(): void {
    this.#changes.value?.clear();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#forget();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const reading = this.#reading();
    if (changed.has('mode')) this.#changes.value?.clear();
    if (changed.has('uri')) this.#encoding = undefined;
    if (reading !== this.#shown || changed.has('mode')) this.#show(reading);
    if (this.uri && !this.#body.error) void this.#body.load();
    if (this.header) void this.#header.load();
  }

  protected override update(changed: PropertyValues<this>): void {
    // After the controllers, which may have begun to read.
    this.#setStates();
    super.update(changed);
  }

  protected override render(): TemplateResult {
    if (!this.uri) {
      return html`<div class="message">
        <slot name="empty"
          >${msg('Choose a resource to read it.', { id: 'mcp.resource-view.choose' })}</slot
        >
      </div>`;
    }
    return html`<div class="top">
        ${this.#body.value?.renderTrail()} ${this.header ? this.#header.value?.render() : nothing}
        ${this.#changes.value?.render() ?? nothing}
      </div>
      ${this.#renderRemarks()} ${this.#renderPanel(this.#renderBody())}
      <div class="visually-hidden" role="status">${this.#announcement}</div>`;
  }

  /** What was read last. What was there stays for a refresh that fails; not for what is gone. */
  #reading(): ResourceReading | undefined {
    const { reading, isFailed, error } = this.#resource;
    if (reading) return reading;
    const isGone = isFailed && isMissing(error);
    const isSame = this.#shown?.uri === this.uri && this.#shownFrom === this.connection.client;
    return isSame && !isGone ? this.#shown : undefined;
  }

  #show(reading: ResourceReading | undefined): void {
    if (!reading || reading.uri !== this.#shown?.uri) this.#forget();
    this.#shown = reading;
    this.#shownFrom = this.connection.client;
    if (reading) this.#body.value?.show({ reading, client: this.#shownFrom, mode: this.mode });
  }

  #forget(): void {
    this.#body.value?.clear();
    this.#changes.value?.clear();
    this.#announcement = '';
    this.#shown = undefined;
  }

  #setStates(): void {
    const { isFailed } = this.#resource;
    this.setState('error', isFailed);
    const mayCome = Boolean(this.uri) && !isFailed && !this.#resource.hasNoResources;
    this.setState('loading', mayCome && !this.#shown);
    this.setState('empty', !this.uri || this.#shown?.result.contents.every(isEmpty) === true);
    this.setState('stale', this.#resource.hasMissedUpdate || (isFailed && !!this.#shown));
    this.setState('updated', this.#changes.value?.isShown === true);
    for (const name of ['reconnecting', 'closed'])
      this.setState(name, this.connection.state === name);
  }

  #onLoad(reading: ResourceReading): void {
    const shown = this.#shown;
    if (shown?.uri === reading.uri) this.#changes.value?.compare(shown, reading);
    this.dispatchEvent(new McpResourceLoadEvent(reading.uri, reading.durationMs));
  }

  readonly #announce = (text: string): void => {
    // The same words again are announced if they differ.
    this.#announcement = this.#announcement === text ? `${text}\u00a0` : text;
    this.requestUpdate();
  };

  async #createBody(): Promise<ViewBody> {
    const { ViewBody } = await import('./view-body.js');
    return new ViewBody(this, {
      onready: () => this.#changes.value?.mark(),
      announce: this.#announce,
      readMore: () => this.#resource.readMore(),
      readIn: (encoding) => {
        this.#encoding = encoding;
        this.reload();
      },
    });
  }

  async #createHeader(): Promise<ViewHeader> {
    const { ViewHeader } = await import('./header/view-header.js');
    return new ViewHeader(this, {
      announce: this.#announce,
      reading: () => this.#shown,
      connection: this.connection,
    });
  }

  /** The body, which belongs to the tabs of the header. */
  #renderPanel(body: TemplateResult | typeof nothing): TemplateResult {
    const tab = this.header ? this.#header.value?.selectedTab : undefined;
    return html`<div
      part="body"
      id="body"
      role=${tab ? 'tabpanel' : nothing}
      aria-labelledby=${tab ?? nothing}
    >
      ${body}
    </div>`;
  }

  #renderRemarks(): TemplateResult {
    const { isFailed, error, hasMissedUpdate } = this.#resource;
    return html`${renderConnection(this.connection.state)}
    ${isFailed && this.#shown ? this.#renderFailure(error) : nothing}
    ${hasMissedUpdate ? this.#body.value?.renderMissed() : nothing}`;
  }

  #renderFailure(error: unknown): TemplateResult {
    const canRetry = this.connection.state !== 'closed';
    return renderError(error, canRetry ? () => this.reload() : undefined);
  }

  #renderBody(): TemplateResult | typeof nothing {
    const { isFailed, error } = this.#resource;
    if (this.#shown && this.#body.value) return this.#body.value.render();
    if (this.#body.error) return renderError(this.#body.error, () => void this.#body.load());
    if (isFailed) return this.#renderFailure(error);
    if (this.#resource.hasNoResources)
      return html`<div class="message">${noResourcesInWords(this.connection.client)}</div>`;
    return this.connection.state === 'closed' ? nothing : renderLoading();
  }
}

function isMissing(error: unknown): boolean {
  return MISSING_CODES.includes((error as { code?: unknown } | undefined)?.code);
}

/** An `<mcp-resource-view>` shows its resource, for the first time or again after a change. */
export class McpResourceLoadEvent extends Event {
  static readonly eventName = 'mcp-resource-load';
  /** The address of the resource. */
  readonly uri: string;
  /** Milliseconds from the request to its answer. */
  readonly durationMs: number;

  constructor(uri: string, durationMs: number) {
    super(McpResourceLoadEvent.eventName, { bubbles: true, composed: true });
    this.uri = uri;
    this.durationMs = durationMs;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'mcp-resource-load': McpResourceLoadEvent;
  }
  interface HTMLElementTagNameMap {
    'mcp-resource-view': McpResourceView;
  }
}

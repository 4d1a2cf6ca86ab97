import type { McpClient } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { until } from 'lit/directives/until.js';
import type { Connection } from '../../base/element/connection.js';
import { LazyPart } from '../../base/element/lazy-part.js';
import { loadPart } from '../../base/look/load-part.js';
import { renderConnection, renderError, renderLoading } from '../../base/look/messages.js';
import { isEmpty } from '../../reading/content-size.js';
import { noResourcesInWords } from '../../reading/declared.js';
import { isOnDisk } from '../../reading/disk.js';
import { isMissing } from '../../reading/gate.js';
import { ResourceController, type ResourceReading } from '../../reading/resource-controller.js';
import { McpResourceLoadEvent } from './content/events.js';
import type { View } from './content/view.js';
import { ViewHeader } from './header/view-header.js';
import { ViewBody } from './view-body.js';

/** The resource of a view, with its header, body and changes. It is loaded when the view has a resource. */
export class ShownResource implements ReactiveController {
  readonly #view: View;
  readonly #connection: Pick<Connection, 'client' | 'state'>;
  readonly #body: ViewBody;
  /** The reading in the body, and its client. */
  #shown: ResourceReading | undefined;
  #shownFrom: McpClient | undefined;
  /** The comparison of a reading with the previous one. */
  readonly #changes = new LazyPart(async () => {
    const { Changes } = await import('./changes/changes.js');
    return new Changes({ view: this.#view, announce: this.#announce });
  });
  readonly #header: ViewHeader;
  #announcement = '';
  /** The `ui://` resource that is shown as an app. */
  #app: string | undefined;
  /** The encoding that the user has chosen for the texts of this resource. */
  #encoding: string | undefined;
  readonly #resource: ResourceController;

  constructor(view: View, connection: Pick<Connection, 'client' | 'state'>) {
    this.#view = view;
    this.#connection = connection;
    this.#body = new ViewBody(view, {
      onready: () => this.#changes.value?.mark(),
      announce: this.#announce,
      readMore: () => this.#resource.readMore(),
      readIn: (encoding) => {
        this.#encoding = encoding;
        this.reload();
      },
    });
    this.#header = new ViewHeader(view, {
      announce: this.#announce,
      reading: () => this.#shown,
      connection,
    });
    this.#resource = new ResourceController(
      view,
      () => ({
        client: connection.client,
        uri: view.uri || undefined,
        isPaused: view.paused,
        size: view.resource?.uri === view.uri ? view.resource?.size : undefined,
        encoding: this.#encoding,
      }),
      (reading) => this.#onLoad(reading),
      async () => {
        // This happens at the first reading that has a previous one.
        if (this.#shown) await this.#changes.load();
      },
    );
    view.addController(this);
  }

  /** The names of the current states of the view, while it has a `uri`. */
  get states(): readonly (string | false)[] {
    const { isFailed, hasNoResources, hasMissedUpdate } = this.#resource;
    const shown = this.#shown;
    return [
      isFailed && 'error',
      !shown && !isFailed && !hasNoResources && 'loading',
      shown?.result.contents.every(isEmpty) === true && 'empty',
      (hasMissedUpdate || (isFailed && !!shown)) && 'stale',
      this.#changes.value?.isShown === true && 'updated',
    ];
  }

  reload(): void {
    this.#resource.reload();
  }

  back(): void {
    this.#body.back();
  }

  clearChanges(): void {
    this.#changes.value?.clear();
    this.#view.requestUpdate();
  }

  hostDisconnected(): void {
    this.#forget();
  }

  /** Updates the parts. Must be called before each rendering of the view. */
  update(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('uri')) this.#encoding = undefined;
    // A removed view may be updated, too. Nobody would release what it shows then.
    if (!this.#view.isConnected) return;
    const reading = this.#reading();
    if (changed.has('mode')) this.#changes.value?.clear();
    if (reading !== this.#shown || changed.has('mode')) this.#show(reading);
  }

  render(): TemplateResult {
    return html`<div class="top">
        ${this.#body.renderTrail(this.#connection.client)}
        ${this.#view.header ? this.#header.render() : nothing}
        ${this.#changes.value?.render() ?? nothing}
      </div>
      ${this.#renderRemarks()} ${this.#renderPanel(this.#renderBody())}
      <div class="visually-hidden" role="status">${this.#announcement}</div>`;
  }

  /**
   * The reading to show. The previous one stays after a failed refresh, but not for a resource that was
   * deleted.
   */
  #reading(): ResourceReading | undefined {
    const { reading, isFailed, error } = this.#resource;
    if (reading) return reading;
    const isGone = isFailed && isMissing(error);
    const isSame =
      this.#shown?.uri === this.#view.uri && this.#shownFrom === this.#connection.client;
    return isSame && !isGone ? this.#shown : undefined;
  }

  #show(reading: ResourceReading | undefined): void {
    if (!reading || reading.uri !== this.#shown?.uri) this.#forget();
    this.#shown = reading;
    this.#shownFrom = this.#connection.client;
    if (reading) this.#body.show({ reading, client: this.#shownFrom, mode: this.#view.mode });
  }

  #forget(): void {
    this.#body.clear();
    this.#changes.value?.clear();
    this.#announcement = '';
    this.#shown = undefined;
  }

  #onLoad(reading: ResourceReading): void {
    const shown = this.#shown;
    if (shown?.uri === reading.uri) this.#changes.value?.compare(shown, reading);
    this.#view.dispatchEvent(new McpResourceLoadEvent(reading.uri, reading.durationMs));
  }

  readonly #announce = (text: string): void => {
    // A repeated text is announced only if it differs.
    this.#announcement = this.#announcement === text ? `${text}\u00a0` : text;
    this.#view.requestUpdate();
  };

  /** Renders the body, which belongs to the tabs of the header. */
  #renderPanel(body: TemplateResult | typeof nothing): TemplateResult {
    const tab = this.#view.header ? this.#header.selectedTab : undefined;
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
    return html`${renderConnection(this.#connection.state)}
    ${isFailed && this.#shown ? this.#renderFailure(error) : nothing}
    ${hasMissedUpdate ? this.#body.renderMissed() : nothing}`;
  }

  #renderFailure(error: unknown): TemplateResult {
    const { client, state } = this.#connection;
    const failure = renderError(error, state === 'closed' ? undefined : () => this.reload());
    const { uri = '' } = this.#view;
    if (!client || !isOnDisk(uri)) return failure;
    const look = async (): Promise<TemplateResult> => {
      try {
        const { folderFailure } = await loadPart(() => import('./folder-failure.js'));
        return (await folderFailure(this.#view, client, uri)) ?? failure;
      } catch {
        return failure;
      }
    };
    // Only once for each failure.
    const show = (): unknown => until(look(), failure);
    return html`${guard([error, state], show)}`;
  }

  /**
   * Renders the offer to show a resource as an app, for a page with `<mcp-app>`. At first its source is
   * shown.
   */
  #renderAppOffer(uri: string): TemplateResult | typeof nothing {
    if (!uri.startsWith('ui://') || !customElements.get('mcp-app')) return nothing;
    const show = (): void => {
      this.#app = uri;
      this.#view.requestUpdate();
    };
    return html`<p class="remark">
      <button type="button" class="show-app" @click=${show}>
        ${msg('Show the app', { id: 'mcp.app.expand' })}
      </button>
    </p>`;
  }

  #renderBody(): TemplateResult | typeof nothing {
    const { isFailed, error } = this.#resource;
    const { uri = '' } = this.#view;
    if (this.#app === uri)
      return html`<mcp-app .client=${this.#connection.client} .uri=${uri}></mcp-app>`;
    if (this.#shown) return html`${this.#renderAppOffer(uri)}${this.#body.render()}`;
    if (isFailed) return this.#renderFailure(error);
    if (this.#resource.hasNoResources)
      return html`<div class="message">${noResourcesInWords(this.#connection.client)}</div>`;
    return this.#connection.state === 'closed' ? nothing : renderLoading();
  }
}

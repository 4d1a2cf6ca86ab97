import type { Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { McpElement } from '../element/mcp-element.js';
import { renderConnection, renderError, renderLoading } from '../look/messages.js';
import { theme } from '../look/theme.js';
import { ResourceListController } from '../reading/resource-list-controller.js';
import { VisibleUpdatesController } from '../reading/visible-updates-controller.js';
import { rowStyles, RowWindow } from '../rows/row-window.js';
import { formatNumber } from '../text/format.js';
import { Cursor } from './cursor.js';
import { McpResourceUpdateEvent } from './events.js';
import { groupLabel } from './groups.js';
import { keyTarget } from './keys.js';
import type { ListTools } from './list-tools.js';
import { ListedRows } from './listed-rows.js';
import { styles } from './mcp-resource-list.styles.js';
import { renderRow, titleOf } from './render-row.js';
import { isHeading, MAX_RESOURCES, type Row, type Rows } from './row.js';

/**
 * The resources of an MCP server, page by page as one scrolls, kept current by subscriptions.
 *
 * Takes its client from `<mcp-provider>` or from its `client` property. Give it a height: it fills
 * its box and scrolls inside.
 *
 * @element mcp-resource-list
 * @slot empty - Shown when the server has no resources.
 * @fires mcp-resource-select - The user changed the selection.
 * @fires mcp-resource-activate - The user pressed Enter, double-clicked or tapped.
 * @fires mcp-resource-update - A resource in sight was updated. If cancelled, it is not marked.
 * @csspart scroller - The scrolling list box or tree.
 * @csspart row - A resource, or a folder of the tree.
 * @csspart icon - The icon of a row.
 * @csspart title - The title of a row.
 * @csspart details - The type, size and age below the title.
 * @csspart heading - The heading of a group.
 * @csspart toolbar - The line above the list, with search, sorting and filters.
 * @csspart search - The search field.
 * @csspart error - A failure.
 * @csspart connection - The line that says that the connection is lost or has ended.
 * @cssprop [--mcp-color-accent] - Selection and focus.
 * @cssprop [--mcp-color-updated] - Background of a row that has just been updated.
 * @cssprop [--mcp-density] - A factor for the height of the rows. Default: 1.
 * @cssstate loading - No row is loaded yet.
 * @cssstate empty - There is nothing to show.
 * @cssstate error - A load has failed.
 * @cssstate reconnecting - The connection is lost; what is shown may be out of date.
 * @cssstate closed - The connection has ended.
 */
export class McpResourceList extends McpElement {
  static override readonly styles = [theme, rowStyles, styles];

  /** `focus()` on the element reaches the list box or the search field inside. */
  static override readonly shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };

  static override readonly properties = {
    selected: { noAccessor: true },
    label: {},
    multiple: { type: Boolean },
    view: {},
    searchable: { type: Boolean },
    sortable: { type: Boolean },
    filterable: { type: Boolean },
    query: {},
    sort: {},
    filter: {},
  };

  /** The accessible name of the list. Default: `Resources`, in the language of the page. */
  declare label: string | null | undefined;
  /** Whether several resources can be selected. Default: false. */
  declare multiple: boolean;
  /** A list, or a tree of groups and folders. Default: `list`. */
  declare view: 'list' | 'tree';
  /** Whether there is a search field. Default: false. */
  declare searchable: boolean;
  /** Whether there is a menu that sorts. Default: false. */
  declare sortable: boolean;
  /** Whether there are menus that filter. Default: false. */
  declare filterable: boolean;
  /** What is searched for. Default: empty, which shows everything. */
  declare query: string | null;
  /**
   * `name`, `size`, `modified` or `priority`; with `-` in front the other way round. The largest, the
   * newest and the most important come first. Default: empty, the order of the server.
   */
  declare sort: string | null;
  /**
   * What is shown: `kind:image`, `audience:user`, `tag:work`, or several of them with spaces between.
   * Special characters of a tag are percent-encoded. Default: empty, which shows everything.
   */
  declare filter: string | null;

  readonly #list = new ResourceListController(this);
  readonly #updates = new VisibleUpdatesController(this, (uri) => this.#onUpdated(uri));
  readonly #window = new RowWindow(this, {
    scroller: () => this.renderRoot.querySelector<HTMLElement>('.scroller') ?? undefined,
    keyOf: (index) => this.#cursor.rows.keyAt(index),
  });
  readonly #cursor = new Cursor(this, (index) => this.#window.scrollToRow(index));
  #listed: { of: readonly Resource[]; rows: Rows } | undefined;
  #tools: ListTools | undefined;
  #toolsError: unknown;
  /** Whether the user wants to go to the end, of which some pages are not loaded yet. */
  #isGoingToEnd = false;
  /** Whether the user has closed the full title. */
  #isBrief = false;
  #pointerType = '';
  #announcement = '';

  constructor() {
    super();
    this.multiple = false;
    this.view = 'list';
    this.searchable = false;
    this.sortable = false;
    this.filterable = false;
    this.query = '';
    this.sort = '';
    this.filter = '';
  }

  /** The address of the resource that was selected last. Setting it fires no event. Default: none. */
  get selected(): string | undefined {
    return this.selection.at(-1);
  }

  set selected(uri: string | null | undefined) {
    this.selection = uri === undefined || uri === null ? [] : [uri];
  }

  /** The addresses of the selected resources. Setting it fires no event. Default: none. */
  get selection(): readonly string[] {
    return [...this.#cursor.selected.keys()];
  }

  set selection(uris: readonly string[]) {
    this.#cursor.selected = new Map(uris.map((uri) => [uri, undefined]));
    this.#cursor.active = uris.at(-1);
    this.requestUpdate();
  }

  /** The resources loaded so far, in the order of the server. */
  get resources(): readonly Resource[] {
    return this.#list.resources;
  }

  /** Tries again after an error. */
  retry(): void {
    this.#list.retry();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#tools?.stop();
  }

  protected override willUpdate(): void {
    this.#list.client = this.connection.client;
    if (this.#usesTools) this.#updateTools();
    const rows = this.#currentRows();
    if (rows !== this.#cursor.rows) this.#window.keepPlace();
    this.#cursor.rows = rows;
    this.#cursor.loaded = this.#list.resources;
    this.#cursor.pageSize = Math.max(1, this.#window.rowsPerPage - 1);
    this.#window.count = rows.length;
    this.#updateStates();
  }

  protected override updated(): void {
    this.#list.show(this.#sight());
    const rows = this.#rowsInSight();
    const uris = rows.flatMap(({ resource }) => resource?.uri ?? []);
    this.#updates.show(this.connection.client, uris);
    if (this.#isGoingToEnd) this.#goToEnd();
  }

  protected override render(): TemplateResult {
    return html`<div class="frame">
      ${this.#tools?.renderToolbar()} ${renderConnection(this.connection.state)}
      ${this.#cursor.rows.length > 0 ? this.#renderList() : this.#renderState()}
      <div class="visually-hidden" role="status">${this.#announcement}</div>
    </div>`;
  }

  get #name(): string {
    return this.label ?? msg('Resources', { id: 'mcp.resource-list.label' });
  }

  /** Whether the rows are others than those of the server, or in another order. */
  get #isArranged(): boolean {
    return Boolean(this.query?.trim() || this.sort || this.filter || this.view === 'tree');
  }

  get #usesTools(): boolean {
    return this.searchable || this.sortable || this.filterable || this.multiple || this.#isArranged;
  }

  #updateTools(): void {
    if (this.#tools)
      this.#tools.update(this.#list.resources, this.#list.hasMore, this.connection.client);
    else if (!this.#toolsError) void this.#loadTools();
  }

  async #loadTools(): Promise<void> {
    try {
      const { ListTools } = await import('./list-tools.js');
      this.#tools ??= new ListTools(this, this.#cursor, (text) => this.#announce(text));
    } catch (error) {
      this.#toolsError = error;
    }
    this.requestUpdate();
  }

  #currentRows(): Rows {
    if (this.#isArranged) return this.#tools?.rows ?? new ListedRows([], false, false);
    const { resources, hasMore } = this.#list;
    if (this.#listed?.of !== resources)
      this.#listed = { of: resources, rows: new ListedRows(resources, hasMore, true) };
    return this.#listed.rows;
  }

  #updateStates(): void {
    const { status } = this.#list;
    const { state } = this.connection;
    const isEmpty = this.#cursor.rows.length === 0;
    const isBusy = status === 'loading' || status === 'idle' || this.#isArranging;
    this.setState('error', status === 'error');
    this.setState('loading', isEmpty && isBusy && status !== 'error');
    this.setState('empty', isEmpty && !isBusy && status !== 'error');
    this.setState('reconnecting', state === 'reconnecting');
    this.setState('closed', state === 'closed');
  }

  get #isArranging(): boolean {
    return this.#isArranged && !this.#toolsError && this.#tools?.isReady !== true;
  }

  #renderState(): TemplateResult {
    const { status, error, unusable, resources } = this.#list;
    if (this.#toolsError) return renderError(this.#toolsError);
    if (status === 'error') return this.#renderFailure(error);
    if (status !== 'ready' || this.#isArranging) return this.#renderLoading();
    if (unusable > 0 && resources.length === 0) return this.#renderFailure(this.#unusable);
    return html`<div class="message">
      ${
        this.#isArranged && resources.length > 0
          ? msg('Nothing was found.', { id: 'mcp.resource-list.nothing' })
          : html`<slot name="empty">
              ${msg('There are no resources yet.', { id: 'mcp.resource-list.empty' })}
            </slot>`
      }
    </div>`;
  }

  #renderLoading(): TemplateResult {
    return html`<div aria-busy="true" role="group" aria-label=${this.#name}>
      ${renderLoading(5)}
    </div>`;
  }

  #renderFailure(error: unknown): TemplateResult {
    const canRetry = this.connection.state !== 'closed';
    return renderError(error, canRetry ? () => this.retry() : undefined);
  }

  get #unusable(): Error {
    const count = formatNumber(this.#list.unusable);
    return new Error(
      msg(str`Entries that cannot be shown: ${count}`, { id: 'mcp.resource-list.unusable' }),
    );
  }

  #renderList(): TemplateResult {
    const { status, unusable, error } = this.#list;
    const { role } = this.#cursor.rows;
    return html`<div
        class=${`scroller ${this.#isBrief ? 'brief' : ''} ${this.#pointerType}`}
        part="scroller"
        role=${role}
        tabindex="0"
        aria-label=${this.#name}
        aria-multiselectable=${this.multiple || nothing}
        aria-activedescendant=${this.#activeId() ?? nothing}
        @click=${this.#onClick}
        @dblclick=${this.#onDoubleClick}
        @pointerdown=${this.#onPointerDown}
        @keydown=${this.#onKeydown}
      >
        ${this.#renderRows()}
      </div>
      ${unusable > 0 ? html`<p class="remark" role="note">${this.#unusable.message}</p>` : nothing}
      ${status === 'error' ? this.#renderFailure(error) : nothing}`;
  }

  #renderRows(): TemplateResult {
    const { rows } = this.#cursor;
    const view = {
      role: rows.role,
      isActive: ({ key }: Row) => key === this.#cursor.active,
      isSelected: ({ key }: Row) => this.#cursor.selected.has(key),
      isUpdated: ({ key }: Row) => this.#updates.isRecent(key),
      renderControls: this.#tools && ((row: Row) => this.#tools?.renderControls(row)),
    };
    const groups: { group: string; own: TemplateResult[] }[] = [];
    for (const index of this.#window.indexes) {
      const group = rows.groupAt(index);
      if (groups.at(-1)?.group !== group) groups.push({ group, own: [] });
      groups.at(-1)?.own.push(renderRow(rows.at(index), index, view));
    }
    return this.#window.renderWindow(
      groups.map(({ group, own }) =>
        group ? html`<div role="group" aria-label=${groupLabel(group)}>${own}</div>` : own,
      ),
    );
  }

  /** The element of the active row, while it is drawn. */
  #activeId(): string | undefined {
    const index = this.#cursor.index;
    if (index < this.#window.first || index >= this.#window.end) return undefined;
    return `option-${this.#cursor.rows.at(index).id}`;
  }

  #rowsInSight(): Row[] {
    return this.#window.indexes.map((index) => this.#cursor.rows.at(index));
  }

  /** The positions that are to be loaded and kept current. */
  #sight(): { first: number; last: number } {
    if (this.#isArranged) return { first: 0, last: MAX_RESOURCES };
    const positions = this.#rowsInSight().filter((row) => !isHeading(row));
    const first = positions.at(0)?.id ?? 0;
    return { first, last: this.#isGoingToEnd ? MAX_RESOURCES : (positions.at(-1)?.id ?? first) };
  }

  #announce(text: string): void {
    this.#announcement = text;
    this.requestUpdate();
  }

  /** Whether the update is to be marked. */
  #onUpdated(uri: string): boolean {
    // Its size and its time are another now.
    this.#list.refreshResource(uri);
    // Among those in sight, as only they are watched: this may be called 10,000 times a second.
    const row = this.#rowsInSight().find(({ key }) => key === uri);
    if (!row?.resource) return false;
    if (!this.dispatchEvent(new McpResourceUpdateEvent(row.resource))) return false;
    const title = titleOf(row);
    this.#announcement = msg(str`${title} was updated`, { id: 'mcp.resource-list.updated' });
    return true;
  }

  readonly #onPointerDown = ({ pointerType }: PointerEvent): void => {
    this.#pointerType = pointerType;
  };

  #onClick(event: MouseEvent): void {
    const index = indexOfElement(event.target);
    if (index === undefined || this.#tools?.click(event, index)) return;
    this.#isGoingToEnd = false;
    this.#cursor.select(index, 'open');
    // In some browsers, a click is not a pointer event.
    const { pointerType } = event as Partial<PointerEvent>;
    const { resource } = this.#cursor.rows.at(index);
    // A tap, or a click of an assistive technology.
    if ((pointerType ?? this.#pointerType) !== 'mouse' && resource) this.#cursor.activate(resource);
  }

  #onDoubleClick({ target }: MouseEvent): void {
    const index = indexOfElement(target);
    const resource = index === undefined ? undefined : this.#cursor.rows.at(index).resource;
    // A tap has activated it already.
    if (resource && this.#pointerType === 'mouse') this.#cursor.activate(resource);
  }

  #onKeydown(event: KeyboardEvent): void {
    const { key } = event;
    this.#isBrief = key === 'Escape';
    if (this.#isBrief) this.requestUpdate();
    if (event.altKey) return;
    this.#isGoingToEnd = key === 'End' && this.#list.hasMore;
    if (this.#tools?.press(event) || this.#press(key)) event.preventDefault();
    // It finds a row by the first letters of its title.
    else if (!this.#tools && key.length === 1)
      void this.#loadTools().then(() => this.#tools?.press(event));
  }

  /** Does what a key means. Returns whether it means anything. */
  #press(key: string): boolean {
    const { rows, index, pageSize } = this.#cursor;
    const isOpening = key === 'Enter' || key === ' ';
    const target = isOpening
      ? Math.max(index, keyTarget('Home', rows, index, 1)!)
      : keyTarget(key, rows, index, pageSize);
    if (target === undefined) return false;
    this.#cursor.select(target, isOpening ? 'open' : 'browse');
    const { resource } = rows.at(target);
    if (key === 'Enter' && resource) this.#cursor.activate(resource);
    return true;
  }

  /** Goes on to the end while further pages arrive. */
  #goToEnd(): void {
    const { hasMore, status, resources } = this.#list;
    this.#isGoingToEnd = hasMore && status !== 'error' && resources.length < MAX_RESOURCES;
    if (!this.#isGoingToEnd && resources.length > 0) this.#press('End');
  }
}

function indexOfElement(target: EventTarget | null): number | undefined {
  const index = (target as Element).closest<HTMLElement>('[data-index]')?.dataset['index'];
  return index === undefined ? undefined : Number(index);
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-resource-list': McpResourceList;
  }
}

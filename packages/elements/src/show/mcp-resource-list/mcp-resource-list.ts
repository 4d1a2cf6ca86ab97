import type { Resource } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { LazyPart } from '../../base/element/lazy-part.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { loadPart } from '../../base/look/load-part.js';
import { renderConnection, renderError, renderLoading } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { ResourceListController } from '../../reading/resource-list-controller.js';
import type { Sight } from '../../reading/resource-pages.js';
import { declares, noResourcesInWords } from '../../reading/declared.js';
import { VisibleUpdatesController } from '../../reading/visible-updates-controller.js';
import { rowStyles, RowWindow } from '../../base/rows/row-window.js';
import { Cursor } from './rows/cursor.js';
import { styles } from './mcp-resource-list.styles.js';
import { renderRows } from './render-rows.js';
import { RowInput } from './row-input.js';
import { isHeading, LAST_POSITION, type Row } from './rows/rows.js';
import { ShownRows } from './shown-rows.js';
import type { UpdateMarks } from './update-marks.js';

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
 * @fires mcp-folder-allow - The user wants to allow the page a folder of the disk again.
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

  /** A click next to the rows moves the focus to the part inside that can have it. */
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
  /** The form of the list: a list, or a tree of groups and folders. Default: `list`. */
  declare view: 'list' | 'tree';
  /** Whether a search field is shown. Default: false. */
  declare searchable: boolean;
  /** Whether a menu is shown that sorts. Default: false. */
  declare sortable: boolean;
  /** Whether menus are shown that filter. Default: false. */
  declare filterable: boolean;
  /** The text of the search. Default: empty, which shows everything. */
  declare query: string | null;
  /**
   * The order: `name`, `size`, `modified` or `priority`; with `-` before it, in reverse. The largest, the
   * newest and the most important come first. Default: empty, the order of the server.
   */
  declare sort: string | null;
  /**
   * The part of the list that is shown: `kind:image`, `audience:user`, `tag:work`, or several of them
   * with spaces between.
   * Special characters of a tag are percent-encoded. Default: empty, which shows everything.
   */
  declare filter: string | null;

  readonly #announce = (text: string): void => {
    this.#announcement = text;
    this.requestUpdate();
  };
  readonly #list = new ResourceListController(this);
  readonly #updates = new VisibleUpdatesController(this, async (uri, meta) => {
    // Its size and its time have changed.
    this.#list.refreshResource(uri);
    const loaded = await loadPart(() => import('./update-marks.js')).catch(() => undefined);
    // Only visible rows are searched, because only they are watched, and this may be called 10,000 times a
    // second.
    const row = this.#rowsInSight.find(({ key }) => key === uri);
    if (!loaded || !row?.resource) return;
    this.#marks ??= new loaded.UpdateMarks(this, this.connection, this.#announce);
    this.#marks.report(row.resource, meta);
  });
  #marks: UpdateMarks | undefined;
  readonly #window = new RowWindow(this, {
    scroller: () => this.renderRoot.querySelector<HTMLElement>('.scroller') ?? undefined,
    keyOf: (index) => this.#cursor.rows.keyAt(index),
  });
  readonly #cursor = new Cursor(this, (index) => this.#window.scrollToRow(index));
  readonly #tools = new LazyPart(
    async () => {
      const { ListTools } = await import('./tools/list-tools.js');
      return new ListTools(this, this.#cursor, this.#announce);
    },
    () => this.requestUpdate(),
  );
  readonly #shown = new ShownRows(this, this.#list, this.#tools);
  readonly #input = new RowInput(this.#list, this.#cursor, this.#tools);
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

  /** Moves the focus to the rows, or to the search field if no rows exist. */
  override focus(options?: FocusOptions): void {
    const { renderRoot } = this;
    const target = renderRoot?.querySelector<HTMLElement>('.scroller');
    (target ?? renderRoot?.querySelector('input'))?.focus(options);
  }

  /** Moves the focus into the search field, and selects its text. */
  focusSearch(): void {
    this.renderRoot.querySelector('input')?.select();
  }

  /** Tries again after an error. */
  retry(): void {
    this.#tools.error = undefined;
    this.#list.retry();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#tools.value?.stop();
  }

  protected override willUpdate(): void {
    const { client } = this.connection;
    this.#list.client = client;
    const rows = this.#shown.update(client);
    if (rows !== this.#cursor.rows) this.#window.keepPlace();
    this.#cursor.rows = rows;
    this.#cursor.loaded = this.#list.resources;
    this.#cursor.pageSize = Math.max(1, this.#window.rowsPerPage - 1);
    this.#window.count = rows.length;
    this.#window.headings = rows.headings;
    this.#updateStates();
  }

  protected override updated(): void {
    const rows = this.#rowsInSight;
    this.#list.show(this.#positionsOf(rows));
    const uris = rows.flatMap(({ resource }) => resource?.uri ?? []);
    this.#updates.show(this.connection.client, uris);
    this.#input.goOn();
  }

  protected override render(): TemplateResult {
    const { rows } = this.#cursor;
    const error = this.#shown.error;
    return html`<div class="frame">
      ${this.#tools.value?.renderToolbar()} ${renderConnection(this.connection.state)}
      ${rows.length > 0 ? this.#renderList() : error === undefined ? this.#renderNothing() : nothing}
      ${error === undefined ? nothing : this.#renderFailure(error)}
      <div class="visually-hidden" role="status">${this.#announcement}</div>
    </div>`;
  }

  get #name(): string {
    return this.label ?? msg('Resources', { id: 'mcp.resource-list.label' });
  }

  #updateStates(): void {
    const { state } = this.connection;
    const hasFailed = this.#shown.error !== undefined;
    const isWithoutRows = this.#cursor.rows.length === 0 && !hasFailed;
    this.setState('error', hasFailed);
    this.setState('loading', isWithoutRows && this.#shown.isBusy);
    this.setState('empty', isWithoutRows && !this.#shown.isBusy);
    this.setState('reconnecting', state === 'reconnecting');
    this.setState('closed', state === 'closed');
  }

  #renderFailure(error: unknown): TemplateResult {
    const canRetry = this.connection.state !== 'closed';
    return renderError(error, canRetry ? () => this.retry() : undefined);
  }

  #renderNothing(): TemplateResult {
    const { client } = this.connection;
    // The search field would push them down.
    const lines = this.#tools.value || !this.searchable ? 5 : 0;
    if (this.#shown.isBusy)
      return html`<div aria-busy="true" role="group" aria-label=${this.#name}>
        ${renderLoading(lines)}
      </div>`;
    return html`<div class="message">
      ${
        this.#shown.isArranged && this.#list.resources.length > 0
          ? this.#tools.value?.renderNothing()
          : html`<slot name="empty">
              ${
                client && !declares(client, 'resources')
                  ? noResourcesInWords(client)
                  : msg('There are no resources yet.', { id: 'mcp.resource-list.empty' })
              }
            </slot>`
      }
    </div>`;
  }

  #renderList(): TemplateResult {
    const { onclick, ondblclick, onpointerdown, onkeydown } = this.#input;
    const { unusable } = this.#shown;
    return html`<div
        class="scroller"
        part="scroller"
        role=${this.#cursor.rows.role}
        tabindex="0"
        aria-label=${this.#name}
        aria-multiselectable=${this.multiple || nothing}
        aria-activedescendant=${this.#activeId ?? nothing}
        @click=${onclick}
        @dblclick=${ondblclick}
        @pointerdown=${onpointerdown}
        @keydown=${onkeydown}
      >
        ${this.#renderRows()}
      </div>
      ${unusable ? html`<p class="remark" role="note">${unusable}</p>` : nothing}`;
  }

  #renderRows(): TemplateResult {
    const rows = renderRows(this.#cursor, this.#window.indexes, {
      updateOf: ({ key }) => this.#marks?.of(key),
      tools: this.#tools.value,
    });
    return this.#window.renderWindow(rows);
  }

  get #rowsInSight(): Row[] {
    return this.#window.indexes.map((index) => this.#cursor.rows.at(index));
  }

  /** The positions that are to be loaded and kept current: those of the visible rows, or all. */
  #positionsOf(rows: readonly Row[]): Sight {
    if (this.#shown.isArranged)
      return {
        first: 0,
        last: LAST_POSITION,
        isEnough: this.#tools.value?.isEnough ?? this.view === 'tree',
      };
    const ids = rows.filter((row) => !isHeading(row)).map(({ id }) => id);
    const first = ids.at(0) ?? 0;
    return { first, last: this.#input.isGoingToEnd ? LAST_POSITION : (ids.at(-1) ?? 0) };
  }

  /** The id of the active row, while it is drawn. */
  get #activeId(): string | undefined {
    const { index, rows } = this.#cursor;
    const isDrawn = index >= this.#window.first && index < this.#window.end;
    return isDrawn ? `option-${rows.at(index).id}` : undefined;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-resource-list': McpResourceList;
  }
}

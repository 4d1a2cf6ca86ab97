import type { McpClient, Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import type { LazyPart } from '../../base/element/lazy-part.js';
import { formatNumber } from '../../base/text/format.js';
import type { ResourceListController } from '../../reading/resource-list-controller.js';
import { ListedRows, type Rows } from './rows/rows.js';
import type { ListTools, ToolsHost } from './tools/list-tools.js';

/** The tools of a list, which are loaded when the list first needs them. */
export type LazyTools = LazyPart<ListTools>;

/** The rows that a list shows: those of the server, or those that its tools have arranged. */
export class ShownRows {
  readonly #host: ToolsHost;
  readonly #list: ResourceListController;
  readonly #tools: LazyTools;
  #listed: { of: readonly Resource[]; rows: Rows } | undefined;

  constructor(host: ToolsHost, list: ResourceListController, tools: LazyTools) {
    this.#host = host;
    this.#list = list;
    this.#tools = tools;
  }

  /** Whether the rows differ from those of the server, or are in another order. */
  get isArranged(): boolean {
    const { query, sort, filter, view } = this.#host;
    return Boolean(query?.trim() || sort || filter || view === 'tree');
  }

  /** Whether more rows may arrive. */
  get isBusy(): boolean {
    return this.#list.status !== 'ready' || (this.isArranged && !this.#tools.value?.isReady);
  }

  /** The reason of a failure; `undefined` without one. */
  get error(): unknown {
    const { status, error, resources } = this.#list;
    if (status === 'error') return error ?? '';
    const isUseless = status === 'ready' && resources.length === 0 && this.unusable;
    return isUseless ? new Error(isUseless) : this.#tools.error;
  }

  /** The number of entries that cannot be shown, as a text; empty if all can be shown. */
  get unusable(): string {
    const { unusable } = this.#list;
    const count = formatNumber(unusable);
    return unusable
      ? msg(str`Entries that cannot be shown: ${count}`, { id: 'mcp.resource-list.unusable' })
      : '';
  }

  /** The current rows. Loads the tools if they are needed. */
  update(client: McpClient | undefined): Rows {
    const { value: loaded } = this.#tools;
    const { resources, hasMore } = this.#list;
    if (this.#needsTools) {
      if (loaded) loaded.update(resources, hasMore, client);
      else if (this.#tools.error === undefined) void this.#tools.load();
    }
    if (!this.isArranged) return this.#rowsOf(resources, hasMore, true);
    return loaded?.tree ?? this.#rowsOf(loaded?.resources ?? [], loaded?.hasMore === true, false);
  }

  get #needsTools(): boolean {
    const { searchable, sortable, filterable, multiple } = this.#host;
    // Folders of the disk are at the end of the list.
    const isDisk = this.#list.resources.at(-1)?.uri.startsWith('disk:');
    return searchable || sortable || filterable || multiple || this.isArranged || isDisk === true;
  }

  #rowsOf(of: readonly Resource[], hasMore: boolean, isGrouped: boolean): Rows {
    if (this.#listed?.of !== of)
      this.#listed = { of, rows: new ListedRows(of, hasMore, isGrouped) };
    return this.#listed.rows;
  }
}

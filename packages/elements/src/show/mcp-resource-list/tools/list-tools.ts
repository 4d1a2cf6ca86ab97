import type { McpClient, Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { isComposing } from '../../../base/element/is-composing.js';
import { adoptStyles } from '../../../base/look/adopt-styles.js';
import { isOnDisk } from '../../../reading/disk.js';
import { ServerSearch } from '../../../reading/server-search.js';
import { Slices } from '../../../reading/slices.js';
import { loadPart } from '../../../base/look/load-part.js';
import { icon, searchIcon } from '../../../base/look/icons.js';
import { formatNumber } from '../../../base/text/format.js';
import { languageTag } from '../../../base/text/language.js';
import { arrange, wordsOf, type Arranged } from './arrange.js';
import type { Cursor } from '../rows/cursor.js';
import { noValues } from './filters.js';
import { styles } from './list-tools.styles.js';
import { hasControl, MultiSelection } from './multi-selection.js';
import { MAX_RESOURCES, type Row, type Rows } from '../rows/rows.js';
import { excerptOf, marked } from './found-text.js';
import type { DiskFolders } from './disk-folders.js';
import { renderToolbar, type ToolbarOptions } from './toolbar.js';
import { OpenFolders, treeOf, TreeRows, type TreeNode } from './tree.js';
import { TypeAhead } from './type-ahead.js';

/** The time without typing after which the number of results is announced, in milliseconds. */
const REST_MS = 800;

/** The maximum level of indentation. A deeper row is indented no further, so that its title has room. */
const MAX_INDENT = 8;

/** The list of the tools. */
export interface ToolsHost extends ReactiveControllerHost, HTMLElement, ToolbarOptions {
  readonly renderRoot: HTMLElement | DocumentFragment;
  multiple: boolean;
  view: string;
}

/** The resources of the server, and the part of them that the user wants to see. */
interface Wanted {
  resources: readonly Resource[];
  found: readonly Resource[];
  hasMore: boolean;
  query: string;
  sort: string;
  filter: string;
  isTree: boolean;
  /** Whether folders of the disk replace the resources inside them. */
  isEnough: boolean;
  /** The language by whose rules names are sorted. */
  language: string;
}

/** The search, order and selection of a list; loaded when a list first needs them. */
export class ListTools {
  readonly #host: ToolsHost;
  readonly #cursor: Cursor;
  readonly #announce: (text: string) => void;
  readonly #search: ServerSearch;
  readonly #selection: MultiSelection;
  readonly #typeAhead = new TypeAhead();
  readonly #open = new OpenFolders();
  #folders: DiskFolders | undefined;
  /** Whether the folders could not be loaded; `undefined` until they are needed. */
  #areFoldersLost: boolean | undefined;
  #wanted: Wanted | undefined;
  #run = new AbortController();
  #isRunning = false;
  /** Whether the user wants to see other rows, from their beginning. */
  #isNewWish = false;
  #arranged: Arranged | undefined;
  #tree: TreeNode[] | undefined;
  #rows: TreeRows | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /**
   * Whether further pages are not needed, because the content of a folder of the disk is read when it is
   * opened.
   */
  isEnough = false;
  /** The words of the search for which the rows are shown now. */
  #words: readonly string[] = [];
  readonly #excerpts = new Map<string, string | undefined>();

  /** @param announce Announces a text to users of screen readers. */
  constructor(host: ToolsHost, cursor: Cursor, announce: (text: string) => void) {
    this.#host = host;
    this.#cursor = cursor;
    this.#announce = announce;
    this.#search = new ServerSearch(() => host.requestUpdate());
    this.#selection = new MultiSelection(cursor);
    adoptStyles(host.shadowRoot!, styles);
  }

  /** The resources that were searched for, filtered and sorted. */
  get resources(): readonly Resource[] {
    return this.#arranged?.resources ?? [];
  }

  /** Whether more of them may arrive. */
  get hasMore(): boolean {
    const { hasMore = false, resources = [] } = this.#wanted ?? {};
    return hasMore && resources.length < MAX_RESOURCES && !this.isEnough;
  }

  /** The same resources in a tree; `undefined` if the list is not a tree. */
  get tree(): Rows | undefined {
    return this.#rows;
  }

  /** Whether the resources are loaded, or it is known that none exist. */
  get isReady(): boolean {
    if (!this.#arranged || this.resources.length > 0) return this.#arranged !== undefined;
    return !this.#isRunning && !this.#search.isBusy && !this.hasMore;
  }

  /** Receives the resources that the server has now. Fast enough to be called with every render. */
  update(listed: readonly Resource[], hasMore: boolean, client: McpClient | undefined): void {
    // A removed list may be updated, too. Without this check, it would read and watch folders forever.
    if (!this.#host.isConnected) return;
    const { view } = this.#host;
    // An attribute that is removed leaves null.
    const [query, sort, filter] = [this.#host.query, this.#host.sort, this.#host.filter].map(
      (text) => text ?? '',
    ) as [string, string, string];
    this.#search.search(client, query.trim(), listed);
    const { found } = this.#search;
    const isTree = view === 'tree' && !query.trim();
    const resources = this.#withoutDisk(listed, isTree ? client : undefined);
    this.isEnough = resources !== listed;
    if (!resources) return;
    const before = this.#wanted;
    const language = languageTag();
    const { isEnough } = this;
    const wanted = { resources, found, hasMore, query, sort, filter, isTree, isEnough, language };
    if (before && isSame(before, wanted)) return;
    this.#wanted = wanted;
    const changed = { resources, found, hasMore, isEnough, language };
    const isSameWish = before && isSame({ ...before, ...changed }, wanted);
    if (!isSameWish) this.#isNewWish = true;
    // A running arrangement is completed while page after page arrives.
    if (!this.#isRunning || !isSameWish) void this.#arrange(wanted);
  }

  /**
   * The resources for a tree, in which the folders of the disk replace all resources inside them. `undefined`
   * while the code for this is loaded.
   *
   * @param client The client of a tree; without it, the resources are those of the list.
   */
  #withoutDisk(
    listed: readonly Resource[],
    client: McpClient | undefined,
  ): readonly Resource[] | undefined {
    if (!isOnDisk(listed.at(-1)?.uri)) return listed;
    if (this.#areFoldersLost === undefined) void this.#loadFolders();
    return client && !this.#areFoldersLost ? this.#folders?.listed(client, listed) : listed;
  }

  async #loadFolders(): Promise<void> {
    const host = this.#host;
    this.#areFoldersLost = false;
    try {
      const { DiskFolders } = await loadPart(() => import('./disk-folders.js'));
      this.#folders = new DiskFolders(host, this.#cursor, () => this.#makeRows());
      host.addController(this.#folders);
    } catch {
      // The folders are shown like all other resources.
      this.#areFoldersLost = true;
    }
    host.requestUpdate();
  }

  /** Ends all running work; the next update begins again. */
  stop(): void {
    this.#run.abort();
    this.#folders?.stop();
    this.#search.stop();
    clearTimeout(this.#timer);
    this.#wanted = undefined;
  }

  /** The line above the list. */
  renderToolbar(): TemplateResult {
    const count = formatNumber(MAX_RESOURCES);
    const isTooLong = this.#wanted?.hasMore && this.#wanted.resources.length >= MAX_RESOURCES;
    const { unsearched } = this.#search;
    const values = this.#arranged?.values ?? noValues();
    return html`${renderToolbar(this.#host, values, (event) => this.#onSearchKey(event))}
    ${
      isTooLong
        ? html`<p class="remark" role="note">
            ${msg(str`Only the first ${count} entries are searched and sorted.`, {
              id: 'mcp.resource-list.too-long',
            })}
          </p>`
        : nothing
    }
    ${
      unsearched > 0
        ? html`<p class="remark" role="note">
            ${msg(str`${formatNumber(unsearched)} entries could not be searched yet.`, {
              id: 'mcp.resource-list.unsearched',
            })}
          </p>`
        : nothing
    }`;
  }

  /** Renders a text instead of rows if nothing was found, with a button that shows everything. */
  renderNothing(): TemplateResult {
    const showAll = (): void => {
      this.#host.query = this.#host.filter = '';
      // The button disappears. A list without a search field may still have menus.
      const menu = this.#host.renderRoot.querySelector<HTMLElement>('.toolbar select');
      (this.#field ?? menu)?.focus();
    };
    return html`${icon(searchIcon)}
      <span>${msg('Nothing was found.', { id: 'mcp.resource-list.nothing' })}</span>
      <button @click=${showAll}>
        ${msg('Show everything', { id: 'mcp.resource-list.show-all' })}
      </button>`;
  }

  /** The controls before the icon of a row. */
  renderControls({ level, isOpen, resource }: Row): TemplateResult {
    const state = isOpen === undefined ? 'leaf' : isOpen ? 'open' : '';
    const indent = `margin-inline-start: calc(${Math.min(level ?? 1, MAX_INDENT) - 1} * min(1rem, 16px))`;
    return html`${level ? html`<span class=${`chevron ${state}`} .style=${indent}></span>` : nothing}
    ${this.#host.multiple && resource ? this.#renderCheck() : nothing}`;
  }

  /**
   * Renders the box of a row. If only one row is checked, its box is hidden, so that an open resource does
   * not look like a part of a selection.
   */
  #renderCheck(): TemplateResult {
    return html`<span class=${this.#cursor.selected.size > 1 ? 'check shown' : 'check'}></span>`;
  }

  /** The state of a folder, or the line in which the server has found the searched text. */
  excerptOf({ resource }: Row): string | undefined {
    const words = resource && this.#folders?.wordsOf(resource);
    if (words) return words;
    const text = resource && this.#search.textOf(resource.uri);
    if (text === undefined || this.#words.length === 0) return undefined;
    const { uri } = resource!;
    if (!this.#excerpts.has(uri)) this.#excerpts.set(uri, excerptOf(text, this.#words));
    return this.#excerpts.get(uri);
  }

  /** A text in which the searched text is marked. */
  mark(text: string): unknown {
    return this.#words.length > 0 ? marked(text, this.#words) : text;
  }

  /** Handles a key. Returns whether it had an effect. */
  press(event: KeyboardEvent): boolean {
    const { key } = event;
    if (key === ' ' && this.#typeAhead.isTyping) return this.#type(key);
    if (this.#pressUp(event) || this.#pressTree(event)) return true;
    if (this.#host.multiple && this.#selection.press(event)) return true;
    return key.length === 1 && key !== ' ' && !hasControl(event) && this.#type(key);
  }

  /** Handles a click. Returns whether it had a special effect. */
  click(event: MouseEvent, index: number): boolean {
    const { isOpen, resource } = this.#cursor.rows.at(index);
    const isPlain = !hasControl(event) && !event.shiftKey;
    const target = event.target as Element;
    if (isOpen !== undefined && isPlain && !target.closest('.check')) {
      this.#cursor.moveTo(index);
      this.#toggle(index);
      if (!resource || target.closest('.chevron')) return true;
    }
    return this.#host.multiple && this.#selection.click(event, index);
  }

  /** Moves from the first row to the search field, because the field leads to the rows. */
  #pressUp({ key, shiftKey }: KeyboardEvent): boolean {
    const { index } = this.#cursor;
    if (key !== 'ArrowUp' || shiftKey || !this.#host.searchable) return false;
    if (index < 0 || index !== this.#cursor.targetOf('Home')) return false;
    this.#field?.focus();
    return true;
  }

  #onSearchKey(event: KeyboardEvent): void {
    const { key } = event;
    const first = this.#cursor.targetOf('Home');
    if (isComposing(event)) return;
    if (key === 'ArrowDown') this.#scroller?.focus();
    else if (key === 'Escape' && this.#host.query) this.#host.query = '';
    else if (key === 'Enter' && this.#words.length > 0 && first !== undefined) {
      this.#cursor.select(first, 'open');
      this.#cursor.activate(first);
    } else return;
    event.preventDefault();
  }

  get #field(): HTMLElement | null {
    return this.#host.renderRoot.querySelector('.search input');
  }

  #pressTree({ key }: KeyboardEvent): boolean {
    const { rows, index } = this.#cursor;
    if (!rows.across || index < 0) return false;
    const { isOpen, resource } = rows.at(index);
    if (key === 'Enter' || key === ' ') {
      if (resource || isOpen === undefined) return false;
      this.#toggle(index);
    } else if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const isRightToLeft = getComputedStyle(this.#host).direction === 'rtl';
      const target = rows.across(index, (key === 'ArrowRight') !== isRightToLeft);
      if (target === index) this.#makeRows();
      else this.#cursor.select(target, 'browse');
    } else return false;
    return true;
  }

  #toggle(index: number): void {
    this.#cursor.rows.toggle?.(index);
    this.#makeRows();
  }

  #type(letter: string): boolean {
    const { rows, index } = this.#cursor;
    const target = this.#typeAhead.type(letter, rows, index);
    if (target >= 0) this.#cursor.select(target, 'browse');
    return true;
  }

  get #scroller(): HTMLElement | null {
    return this.#host.renderRoot.querySelector('.scroller');
  }

  async #arrange(wanted: Wanted): Promise<void> {
    this.#run.abort();
    const run = new AbortController();
    this.#run = run;
    this.#isRunning = true;
    try {
      const { query, isTree, resources } = wanted;
      const slices = new Slices(run.signal, () => undefined);
      const words = wordsOf(query);
      const arranged = await arrange(resources, { ...wanted, words }, slices);
      const mountOf = wanted.isEnough ? this.#folders?.nodeOf : undefined;
      this.#tree = isTree ? await treeOf(arranged.resources, slices, mountOf) : undefined;
      this.#arranged = arranged;
      this.#words = words;
      this.#excerpts.clear();
      this.#isRunning = false;
      if (this.#isNewWish) this.#scroller?.scrollTo({ top: 0, behavior: 'instant' });
      this.#isNewWish = false;
      this.#makeRows();
      if (query.trim()) this.#announceSoon();
      if (this.#wanted && this.#wanted !== wanted) void this.#arrange(this.#wanted);
    } catch (error) {
      if (!run.signal.aborted) throw error;
    }
  }

  #makeRows(): void {
    this.#rows = this.#tree && new TreeRows(this.#tree, this.#open);
    this.#folders?.show((this.isEnough && this.#rows?.opened) || new Set());
    this.#host.requestUpdate();
  }

  #announceSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const count = formatNumber(this.resources.length);
      this.#announce(msg(str`Results: ${count}`, { id: 'mcp.resource-list.results' }));
    }, REST_MS);
  }
}

function isSame(a: Wanted, b: Wanted): boolean {
  return (Object.keys(a) as (keyof Wanted)[]).every((name) => a[name] === b[name]);
}

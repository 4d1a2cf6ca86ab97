import { msg, str } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { McpElement } from '../element/mcp-element.js';
import { chevronIcon, icon } from '../look/icons.js';
import { renderConnection } from '../look/messages.js';
import { theme } from '../look/theme.js';
import { rowStyles, VirtualRows } from '../rows/virtual-rows.js';
import { formatDuration } from '../text/duration.js';
import { formatError, formatNumber, formatSize } from '../text/format.js';
import { ContentSearch } from './content-search.js';
import { McpWireReplayEvent } from './events.js';
import { styles } from './mcp-wire.styles.js';
import { canReplay, mayChangeData, replay } from './replay.js';
import { saveLines, copyMessages } from './take-away.js';
import { nameOfEntry, outcomeOf, subjectOf } from './summary.js';
import { directionOf, WireDetails } from './wire-details.js';
import { isFailure, type WireEntry } from './wire-entry.js';
import { iconOf, newestIcon } from './wire-icons.js';
import type { WireRecorder } from './wire-recorder.js';
import {
  filterEntries,
  flatRowsOf,
  isOff,
  rowsOf,
  type WireFilter,
  type WireRow,
} from './wire-rows.js';
import { methodsOf, renderButton, renderToolbar } from './wire-toolbar.js';

const NO_FILTER: WireFilter = { text: '', method: '', direction: '', onlyFailures: false };

/**
 * The JSON-RPC messages of a connection as they are recorded: each request with its answer on one
 * line, with filters, search, and both messages in full. Shows the messages; runs nothing of them.
 *
 * Takes the messages from a `WireRecorder`. The client, of the provider or of its own, is needed only
 * to send a request again. Give it a height: it fills its box and scrolls inside.
 *
 * @element mcp-wire
 * @slot empty - Shown before the first message.
 * @fires mcp-wire-replay - The user wants to send a request again. `preventDefault()` prevents it.
 * @csspart toolbar - The search, the filters and the buttons.
 * @csspart scroller - The scrolling list.
 * @csspart row - A line.
 * @csspart details - The messages of the selected line.
 * @csspart json - A message as JSON.
 * @cssprop [--mcp-color-accent] - Requests, selection and focus.
 * @cssprop [--mcp-color-success] - Notifications.
 * @cssprop [--mcp-color-danger] - Errors.
 * @cssstate paused - The lines stay as they are.
 */
export class McpWire extends McpElement {
  static override readonly styles = [theme, rowStyles, styles];

  static override readonly shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };

  static override readonly properties = {
    recorder: { attribute: false },
    paused: { type: Boolean, reflect: true },
    label: {},
  };

  /** Where the messages come from. Default: none. */
  declare recorder: WireRecorder | undefined;
  /**
   * Whether the lines stay as they are. The recorder goes on: no message is lost, unless its limits
   * are exceeded. Default: false.
   */
  declare paused: boolean;
  /** The accessible name of the list. Default: `Messages`, in the language of the page. */
  declare label: string | undefined;

  #entries: readonly WireEntry[] = [];
  #totalAtPause = 0;
  #filter = NO_FILTER;
  #rows: readonly WireRow[] = [];
  #methods: readonly string[] = [];
  #isOutdated = true;
  readonly #unfolded = new Set<string>();
  /** The key of the row that the keyboard is at. */
  #active: string | undefined;
  #details: WireDetails | undefined;
  #isConfirming = false;
  #note = '';
  /** Whether the newest line is kept in sight. */
  #isFollowing = true;
  #listening = new AbortController();
  readonly #scroller = createRef<HTMLElement>();
  readonly #search = new ContentSearch(() => this.#refresh());
  readonly #virtual = new VirtualRows(this, {
    scroller: () => this.#scroller.value,
    keyOf: (index) => this.#rows[index]?.key ?? '',
  });

  constructor() {
    super();
    this.paused = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listen();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#listening.abort();
    this.#search.stop();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('recorder')) this.#listen();
    if (changed.has('paused')) {
      this.setState('paused', this.paused);
      this.#totalAtPause = this.recorder?.total ?? 0;
      this.#isOutdated = true;
    }
    if (!this.#isOutdated) return;
    this.#isOutdated = false;
    this.#updateRows(changed);
  }

  protected override render(): TemplateResult {
    if (!this.recorder) {
      const text = msg('No messages are recorded.', { id: 'mcp.wire.no-recorder' });
      return html`<div class="message">${text}</div>`;
    }
    const { state } = this.connection;
    return html`<div class="frame">
      ${renderToolbar(this.#filter, this.#methods, this.paused, this.#toolbar)}
      ${this.#renderCounts(this.recorder)}
      ${state === 'none' || state === 'open' ? nothing : renderConnection(state)}
      <div class="panes">
        ${this.#rows.length > 0 ? this.#renderList() : this.#renderEmpty()} ${this.#renderDetails()}
      </div>
      <p class="note" role="status">${this.#note}</p>
    </div>`;
  }

  /** The number of lines, and of those that are missing. */
  #renderCounts({ dropped, total }: WireRecorder): TemplateResult {
    const shown = formatNumber(this.#rows.length);
    const all = formatNumber(this.#entries.length);
    const missing = formatNumber(dropped);
    const isFiltered = !isOff(this.#filter);
    const later = this.paused ? formatNumber(total - this.#totalAtPause) : '';
    const parts = [
      isFiltered
        ? msg(str`Lines: ${shown} of ${all}`, { id: 'mcp.wire.lines-of' })
        : msg(str`Lines: ${all}`, { id: 'mcp.wire.lines' }),
      dropped > 0 ? msg(str`Oldest lines dropped: ${missing}`, { id: 'mcp.wire.dropped' }) : '',
      later ? msg(str`Paused. Newer lines: ${later}`, { id: 'mcp.wire.paused' }) : '',
      this.#search.isRunning ? msg('Searching', { id: 'mcp.wire.searching' }) : '',
    ];
    const newest = msg('Go to the newest line', { id: 'mcp.wire.newest' });
    const isButtonShown = !this.#isFollowing && this.#rows.length > 0;
    return html`<div class="counts">
      <span>${parts.filter(Boolean).join(' · ')}</span>
      ${isButtonShown ? renderButton(newest, newestIcon, () => this.#follow()) : nothing}
    </div>`;
  }

  #renderEmpty(): TemplateResult {
    if (isOff(this.#filter)) {
      const text = msg('No messages yet.', { id: 'mcp.wire.empty' });
      return html`<div class="message"><slot name="empty">${text}</slot></div>`;
    }
    return html`<div class="message">
      <span>${msg('No line matches the filters.', { id: 'mcp.wire.no-match' })}</span>
      <button @click=${() => this.#changeFilter(NO_FILTER)}>
        ${msg('Show all lines', { id: 'mcp.wire.show-all' })}
      </button>
    </div>`;
  }

  #renderList(): TemplateResult {
    const active = this.#activeIndex();
    const isDrawn = active >= this.#virtual.first && active < this.#virtual.end;
    return html`<div
      class="scroller"
      part="scroller"
      role="tree"
      tabindex="0"
      aria-label=${this.label ?? msg('Messages', { id: 'mcp.wire.label' })}
      aria-activedescendant=${isDrawn ? `row-${this.#active}` : nothing}
      ${ref(this.#scroller)}
      @scroll=${this.#onScroll}
      @click=${this.#onClick}
      @keydown=${this.#onKeydown}
    >
      ${this.#virtual.render((index) => this.#renderRow(this.#rows[index]!, index))}
    </div>`;
  }

  #renderRow(row: WireRow, index: number): TemplateResult {
    const isActive = row.key === this.#active;
    const isFold = row.kind === 'fold';
    return html`<div
      id=${`row-${row.key}`}
      class=${`row ${classOf(row)}${isActive ? ' active' : ''}`}
      part="row"
      role="treeitem"
      aria-level=${isFold ? 1 : row.level}
      aria-expanded=${isFold ? row.isOpen : nothing}
      aria-selected=${isActive}
      aria-setsize=${this.#rows.length}
      aria-posinset=${index + 1}
      data-index=${index}
    >
      ${isFold ? renderFold(row.entries) : this.#renderEntry(row.entry)}
    </div>`;
  }

  #renderEntry(entry: WireEntry): TemplateResult {
    const { durationMs, state, message } = entry;
    const isTimed = durationMs !== undefined && state !== 'lost';
    return html`${icon(iconOf(entry))}
      <span class="visually-hidden">${directionOf(entry)}</span>
      <span class="method">${nameOfEntry(entry)}</span>
      <span class="subject">${subjectOf(entry)}</span>
      <span class="outcome">${outcomeOf(entry)}</span>
      <span class="duration">${isTimed ? formatDuration(durationMs) : nothing}</span>
      <span class="size">
        ${message === undefined ? nothing : formatSize(this.recorder?.sizeOf(entry) ?? 0)}
      </span>`;
  }

  #renderDetails(): TemplateResult | typeof nothing {
    const entry = this.#activeEntry();
    if (!entry || !this.#details) return nothing;
    const mayReplay =
      canReplay(entry) && this.connection.client && this.connection.state !== 'closed';
    return this.#details.render(entry, this.recorder?.sizeOf(entry) ?? 0, {
      close: () => this.#closeDetails(),
      copy: (message) => void this.#copy([message]),
      replay: mayReplay ? () => this.#replay(entry) : undefined,
      isConfirming: this.#isConfirming,
      cancel: () => this.#confirm(false),
      update: () => this.requestUpdate(),
    });
  }

  readonly #toolbar = {
    filter: (change: Partial<WireFilter>) => this.#changeFilter(change),
    pause: () => {
      this.paused = !this.paused;
    },
    clear: () => this.#clear(),
    save: () => void this.#save(),
  };

  #listen(): void {
    this.#listening.abort();
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    this.recorder?.addEventListener('change', () => this.#refresh(), { signal });
    this.#refresh();
  }

  #refresh(): void {
    this.#isOutdated = true;
    this.requestUpdate();
  }

  #updateRows(changed: PropertyValues<this>): void {
    if (!this.#isFollowing) this.#virtual.keepPlace();
    const isKept = this.paused && !changed.has('paused') && !changed.has('recorder');
    if (!isKept) this.#entries = this.recorder?.entries ?? [];
    const filter = this.#filter;
    this.#search.forgetBefore(this.#entries[0]?.number ?? Infinity);
    this.#search.search(filter.text, this.#entries);
    const entries = filterEntries(this.#entries, filter, this.#search);
    this.#rows = isOff(filter) ? rowsOf(entries, this.#unfolded) : flatRowsOf(entries);
    this.#methods = methodsOf(this.#entries);
    this.#virtual.count = this.#rows.length;
    if (this.#isFollowing) this.#virtual.scrollToRow(this.#rows.length - 1);
  }

  #changeFilter(change: Partial<WireFilter>): void {
    this.#filter = { ...this.#filter, ...change };
    this.#refresh();
  }

  #clear(): void {
    this.recorder?.clear();
    this.paused = false;
    this.#unfolded.clear();
    this.#closeDetails();
  }

  #follow(): void {
    this.#isFollowing = true;
    this.#scroller.value?.focus();
    this.#refresh();
  }

  readonly #onScroll = (): void => {
    const scroller = this.#scroller.value!;
    const rest = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    const isFollowing = rest < this.#virtual.rowHeight;
    if (isFollowing === this.#isFollowing) return;
    this.#isFollowing = isFollowing;
    this.requestUpdate();
  };

  #onClick(event: MouseEvent): void {
    const row = (event.target as Element).closest<HTMLElement>('[data-index]');
    if (row) this.#open(Number(row.dataset['index']));
  }

  #onKeydown(event: KeyboardEvent): void {
    if (event.key === 'c' && (event.ctrlKey || event.metaKey)) return this.#copyActive(event);
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const index = this.#activeIndex();
    if (event.key === 'Escape') this.#closeDetails();
    else if (event.key === 'Enter' || event.key === ' ') this.#open(index);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
      this.#fold(index, event.key === 'ArrowRight' ? !this.#isRightToLeft : this.#isRightToLeft);
    else {
      const target = this.#indexFor(event.key, index);
      if (target === undefined) return;
      this.#moveTo(Math.max(0, Math.min(target, this.#rows.length - 1)));
    }
    event.preventDefault();
  }

  get #isRightToLeft(): boolean {
    return getComputedStyle(this).direction === 'rtl';
  }

  /** The row that a key leads to; `undefined` for any other key. */
  #indexFor(key: string, index: number): number | undefined {
    switch (key) {
      case 'ArrowDown':
        return index + 1;
      case 'ArrowUp':
        return index < 0 ? this.#rows.length - 1 : index - 1;
      case 'PageDown':
        return index + this.#virtual.rowsPerPage;
      case 'PageUp':
        return index - this.#virtual.rowsPerPage;
      case 'Home':
        return 0;
      case 'End':
        return this.#rows.length - 1;
      default:
        return undefined;
    }
  }

  #moveTo(index: number): void {
    const row = this.#rows[index];
    if (!row) return;
    this.#active = row.key;
    this.#isConfirming = false;
    // A line stays in sight while the user looks at it.
    this.#isFollowing = false;
    this.#virtual.scrollToRow(index);
  }

  /** Opens or closes a fold, or the details of a line. */
  #open(index: number): void {
    const row = this.#rows[index];
    if (!row) return;
    const wasActive = row.key === this.#active;
    this.#moveTo(index);
    if (row.kind === 'fold') this.#fold(index, !row.isOpen);
    else
      this.#details = wasActive && this.#details ? undefined : (this.#details ?? new WireDetails());
  }

  #fold(index: number, isOpen: boolean): void {
    const row = this.#rows[index];
    if (row?.kind !== 'fold' || row.isOpen === isOpen) return;
    if (isOpen) this.#unfolded.add(row.key);
    else this.#unfolded.delete(row.key);
    this.#refresh();
  }

  #closeDetails(): void {
    if (this.#details) this.#scroller.value?.focus();
    this.#details = undefined;
    this.#isConfirming = false;
    this.requestUpdate();
  }

  #activeIndex(): number {
    if (this.#active === undefined) return -1;
    return this.#rows.findIndex(({ key }) => key === this.#active);
  }

  #activeEntry(): WireEntry | undefined {
    const row = this.#rows[this.#activeIndex()];
    return row?.kind === 'entry' ? row.entry : undefined;
  }

  #say(note: string): void {
    this.#note = note;
    this.requestUpdate();
  }

  #confirm(isConfirming: boolean): void {
    this.#isConfirming = isConfirming;
    this.requestUpdate();
  }

  #replay(entry: WireEntry): void {
    if (mayChangeData(entry) && !this.#isConfirming) return this.#confirm(true);
    this.#confirm(false);
    const { client } = this.connection;
    if (!client || !this.dispatchEvent(new McpWireReplayEvent(entry))) return;
    const method = nameOfEntry(entry);
    this.#say(msg(str`Sent again: ${method}`, { id: 'mcp.wire.sent-again' }));
    replay(client, entry).catch((error: unknown) => this.#say(formatError(error)));
  }

  #copyActive(event: KeyboardEvent): void {
    const entry = this.#activeEntry();
    if (!entry) return;
    event.preventDefault();
    const messages = [entry.message, entry.answer].filter((message) => message !== undefined);
    void this.#copy(messages);
  }

  async #copy(messages: readonly unknown[]): Promise<void> {
    const isCopied = await copyMessages(messages);
    this.#say(
      isCopied
        ? msg('Copied.', { id: 'mcp.wire.copied' })
        : msg('The browser does not let this page use the clipboard.', { id: 'mcp.wire.no-copy' }),
    );
  }

  async #save(): Promise<void> {
    const entries = isOff(this.#filter)
      ? this.#entries
      : this.#rows.flatMap((row) => (row.kind === 'entry' ? [row.entry] : row.entries));
    const blob = await this.recorder?.toJsonLines(entries);
    if (blob) saveLines(blob);
  }
}

function classOf(row: WireRow): string {
  if (row.kind === 'fold') return `fold${row.isOpen ? ' open' : ''}`;
  const failure = isFailure(row.entry) ? ' failure' : '';
  return `${row.entry.kind}${failure}${row.level === 2 ? ' inner' : ''}`;
}

/** Several lines of housekeeping as one: how many, and which. */
function renderFold(entries: readonly WireEntry[]): TemplateResult {
  const count = formatNumber(entries.length);
  const names = new Set(entries.slice(0, 20).map((entry) => nameOfEntry(entry)));
  return html`${icon(chevronIcon)}
    <span class="method">${msg(str`Housekeeping: ${count}`, { id: 'mcp.wire.housekeeping' })}</span>
    <span class="subject">${[...names].join(', ')}</span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-wire': McpWire;
  }
}

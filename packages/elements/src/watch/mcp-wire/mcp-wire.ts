import { msg } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { keepFocus } from '../../base/element/focus-keeper.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { renderConnection } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { indexForKey } from '../../base/rows/row-keys.js';
import { rowStyles, VirtualRows } from '../../base/rows/virtual-rows.js';
import { styles } from './mcp-wire.styles.js';
import { renderCounts } from './render-counts.js';
import { canReplay } from './replay.js';
import { WireActions } from './wire-actions.js';
import { WireDetails } from './wire-details.js';
import { styles as detailsStyles } from './wire-details.styles.js';
import type { WireEntry } from './wire-entry.js';
import { NO_FILTER, WireLines } from './wire-lines.js';
import type { WireRecorder } from './wire-recorder.js';
import { idOf, renderRow } from './wire-row.js';
import type { WireFilter } from './wire-rows.js';
import { renderToolbar } from './wire-toolbar.js';

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
  static override readonly styles = [theme, rowStyles, styles, detailsStyles];

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

  readonly #lines = new WireLines(() => this.requestUpdate());
  /** The key of the row that the keyboard is at. */
  #active: string | undefined;
  #details: WireDetails | undefined;
  /** The line in the details, also after it was dropped. */
  #selected: WireEntry | undefined;
  readonly #actions = new WireActions(this);
  /** Whether the newest line is kept in sight. */
  #isFollowing = true;
  readonly #scroller = createRef<HTMLElement>();
  readonly #virtual = new VirtualRows(this, {
    scroller: () => this.#scroller.value,
    keyOf: (index) => this.#lines.rows[index]?.key ?? '',
  });

  constructor() {
    super();
    keepFocus(this, (focused) => {
      // Of a question, the answer that sends nothing: a key that is held down repeats itself.
      const place = focused.closest('.replay') ? '.replay > button:last-of-type' : '.scroller';
      return () => this.renderRoot.querySelector<HTMLElement>(place);
    });
    this.paused = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#lines.follow(this.recorder);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#lines.stop();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('recorder')) {
      this.#lines.follow(this.recorder);
      this.#active = undefined;
      this.#details = undefined;
      this.#isFollowing = true;
    }
    if (changed.has('paused')) {
      this.setState('paused', this.paused);
      this.#lines.pause(this.paused);
    }
    if (this.#lines.isOutdated) this.#updateRows();
  }

  protected override render(): TemplateResult {
    if (!this.recorder) {
      const text = msg('No messages are recorded.', { id: 'mcp.wire.no-recorder' });
      return html`<div class="message">${text}</div>`;
    }
    const { state } = this.connection;
    return html`<div class="frame">
      ${renderToolbar(this.#lines.filter, this.#lines.methods, this.paused, this.#toolbar)}
      ${this.#renderCounts(this.recorder)}
      ${state === 'none' || state === 'open' ? nothing : renderConnection(state)}
      <div class="panes">
        ${this.#lines.rows.length > 0 ? this.#renderList() : this.#renderEmpty()}
        ${this.#renderDetails()}
      </div>
      <p class="note" role="status">${this.#actions.note}</p>
    </div>`;
  }

  #renderCounts({ dropped }: WireRecorder): TemplateResult {
    return renderCounts(this.#lines, {
      dropped,
      isPaused: this.paused,
      goToNewest: this.#isFollowing ? undefined : () => this.#follow(),
    });
  }

  #renderEmpty(): TemplateResult | typeof nothing {
    if (this.#lines.isSearching) return nothing;
    if (!this.#lines.isFiltered) {
      const text = msg('No messages yet.', { id: 'mcp.wire.empty' });
      return html`<div class="message"><slot name="empty">${text}</slot></div>`;
    }
    return html`<div class="message">
      <span>${msg('No line matches the filters.', { id: 'mcp.wire.no-match' })}</span>
      <button @click=${() => this.#lines.changeFilter(NO_FILTER)}>
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
      aria-activedescendant=${isDrawn ? idOf(this.#active) : nothing}
      ${ref(this.#scroller)}
      @scroll=${this.#onScroll}
      @click=${this.#onClick}
      @keydown=${this.#onKeydown}
    >
      ${this.#virtual.render((index) => this.#renderRow(index))}
    </div>`;
  }

  #renderRow(index: number): TemplateResult {
    const { rows } = this.#lines;
    const row = rows[index]!;
    const place = { index, count: rows.length, isActive: row.key === this.#active };
    return renderRow(row, place, (entry) => this.recorder?.sizeOf(entry) ?? 0);
  }

  #renderDetails(): TemplateResult | typeof nothing {
    const entry = this.#selected;
    if (!entry || !this.#details) return nothing;
    const { client, state } = this.connection;
    const mayReplay = canReplay(entry) && client && state !== 'closed';
    return this.#details.render(entry, this.recorder?.sizeOf(entry) ?? 0, {
      close: () => this.#closeDetails(),
      copy: (message) => void this.#actions.copy([message]),
      replay: mayReplay ? () => this.#actions.replay(entry, client) : undefined,
      isConfirming: this.#actions.isConfirming,
      cancel: () => this.#actions.cancel(),
      update: () => this.requestUpdate(),
    });
  }

  readonly #toolbar = {
    filter: (change: Partial<WireFilter>) => this.#lines.changeFilter(change),
    pause: () => {
      this.paused = !this.paused;
    },
    clear: () => this.#clear(),
    save: () => void this.#actions.save(this.recorder, this.#lines.shownEntries),
  };

  #updateRows(): void {
    if (!this.#isFollowing) this.#virtual.keepPlace();
    this.#lines.update();
    const { length } = this.#lines.rows;
    this.#virtual.count = length;
    if (this.#isFollowing) this.#virtual.scrollToRow(length - 1);
  }

  #clear(): void {
    this.#lines.clear();
    this.paused = false;
    this.#details = undefined;
  }

  #follow(): void {
    this.#isFollowing = true;
    this.#scroller.value?.focus();
    this.#virtual.scrollToRow(this.#lines.rows.length - 1);
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
      const { length } = this.#lines.rows;
      const target = indexForKey(event.key, index, length, this.#virtual.rowsPerPage);
      if (target === undefined) return;
      this.#moveTo(Math.max(0, Math.min(target, length - 1)));
    }
    event.preventDefault();
  }

  get #isRightToLeft(): boolean {
    return getComputedStyle(this).direction === 'rtl';
  }

  #moveTo(index: number): void {
    const row = this.#lines.rows[index];
    if (!row) return;
    this.#active = row.key;
    if (row.kind === 'entry') this.#selected = row.entry;
    this.#actions.cancel();
    // A line stays in sight while the user looks at it.
    this.#isFollowing = false;
    this.#virtual.scrollToRow(index);
  }

  /** Opens or closes a fold, or the details of a line. */
  #open(index: number): void {
    const row = this.#lines.rows[index];
    if (!row) return;
    const wasActive = row.key === this.#active;
    this.#moveTo(index);
    if (row.kind === 'fold') return this.#fold(index, !row.isOpen);
    this.#details = wasActive && this.#details ? undefined : (this.#details ?? new WireDetails());
  }

  #fold(index: number, isOpen: boolean): void {
    const row = this.#lines.rows[index];
    if (row?.kind !== 'fold' || row.isOpen === isOpen) return;
    this.#lines.fold(row.key, isOpen);
  }

  #closeDetails(): void {
    if (this.#details) this.#scroller.value?.focus();
    this.#details = undefined;
    this.#actions.cancel();
    this.requestUpdate();
  }

  #activeIndex(): number {
    if (this.#active === undefined) return -1;
    return this.#lines.rows.findIndex(({ key }) => key === this.#active);
  }

  #copyActive(event: KeyboardEvent): void {
    const row = this.#lines.rows[this.#activeIndex()];
    if (row?.kind !== 'entry') return;
    event.preventDefault();
    void this.#actions.copy([row.entry.message, row.entry.answer]);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-wire': McpWire;
  }
}

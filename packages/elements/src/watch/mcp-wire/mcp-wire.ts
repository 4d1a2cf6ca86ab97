import { msg } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { downloadBlob } from '../../base/element/download-blob.js';
import { keepFocus } from '../../base/element/focus-keeper.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { renderConnection } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { indexForKey } from '../../base/rows/row-keys.js';
import { paneStyles } from '../../base/rows/pane-styles.js';
import { VirtualRows } from '../../base/rows/virtual-rows.js';
import { formatError } from '../../base/text/format.js';
import { jsonOf, type WireRecorder } from './wire-recorder.js';
import { styles } from './mcp-wire.styles.js';
import { renderDetails } from './render-details.js';
import { idOf, renderRow } from './render-row.js';
import { renderCounts, renderToolbar } from './render-toolbar.js';
import type { WireEntry } from './wire-entry.js';
import { NO_FILTER, WireLines, type WireFilter } from './wire-lines.js';

/**
 * The JSON-RPC messages of a connection as they are recorded: each request with its answer on one
 * line, with filters, search, and both messages in full. Shows the messages; runs nothing of them. Where
 * the user has scrolled up, the lines stay in their place.
 *
 * Takes the messages from a `WireRecorder`. Give it a height: it fills its box and scrolls inside.
 *
 * @element mcp-wire
 * @slot empty - Shown before the first message.
 * @csspart toolbar - The search, the filters and the buttons.
 * @csspart scroller - The scrolling list.
 * @csspart row - A line.
 * @csspart details - The messages of the selected line.
 * @csspart json - A message as JSON.
 * @cssprop [--mcp-color-accent] - Requests, selection and focus.
 * @cssprop [--mcp-color-success] - Notifications.
 * @cssprop [--mcp-color-danger] - Errors.
 */
export class McpWire extends McpElement {
  static override readonly styles = [theme, paneStyles, styles];

  static override readonly shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };

  static override readonly properties = {
    recorder: { attribute: false },
    label: {},
  };

  /** The recorder of the messages. Default: none. */
  declare recorder: WireRecorder | undefined;
  /** The accessible name of the list. Default: `Messages`, in the language of the page. */
  declare label: string | undefined;

  readonly #lines = new WireLines(() => this.requestUpdate());
  /** The active line, which is also shown in the details, even after it was dropped. */
  #selected: WireEntry | undefined;
  #areDetailsOpen = false;
  /** Whether the user wants to see more of the messages in the details. */
  #isLong = false;
  /** The outcome of the last action, for the user. */
  #note = '';
  /** Whether the newest line is kept visible. */
  #isFollowing = true;
  readonly #scroller = createRef<HTMLElement>();
  readonly #virtual = new VirtualRows(this, {
    scroller: () => this.#scroller.value,
    keyOf: (index) => String(this.#lines.shown[index]?.number),
  });

  constructor() {
    super();
    keepFocus(this, () => () => this.#scroller.value);
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
      this.#selected = undefined;
      this.#areDetailsOpen = false;
      this.#isFollowing = true;
    }
    if (this.#lines.isOutdated) this.#updateRows();
  }

  protected override render(): TemplateResult {
    if (!this.recorder) {
      const text = msg('No messages are recorded.', { id: 'mcp.wire.no-recorder' });
      return html`<div class="message">${text}</div>`;
    }
    return html`<div class="frame">
      ${renderToolbar(this.#lines, this.#toolbar)}
      ${renderCounts(this.#lines, this.recorder.dropped)} ${renderConnection(this.connection.state)}
      <div class="panes" @keydown=${this.#closeOnEscape}>
        ${this.#lines.shown.length > 0 ? this.#renderList() : this.#renderEmpty()}
        ${this.#areDetailsOpen && this.#selected ? this.#renderDetails(this.#selected) : nothing}
      </div>
      <p class="note" role="status">${this.#note}</p>
    </div>`;
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
      role="listbox"
      tabindex="0"
      aria-label=${this.label ?? msg('Messages', { id: 'mcp.wire.label' })}
      aria-activedescendant=${isDrawn && this.#selected ? idOf(this.#selected) : nothing}
      ${ref(this.#scroller)}
      @scroll=${this.#onScroll}
      @click=${this.#onClick}
      @keydown=${this.#onKeydown}
    >
      ${this.#virtual.render((index) => this.#renderRow(index))}
    </div>`;
  }

  #renderRow(index: number): TemplateResult {
    const { shown } = this.#lines;
    const entry = shown[index]!;
    const isActive = entry === this.#selected;
    const isMore = this.#notificationsOf(entry).length > 0;
    const messages = isMore ? this.#messagesOf(entry).length : 0;
    return renderRow(entry, this.#sizeOf(entry), {
      index,
      count: shown.length,
      isActive,
      messages,
    });
  }

  #renderDetails(entry: WireEntry): TemplateResult {
    return renderDetails(entry, this.#notificationsOf(entry), this.#sizeOf(entry), this.#isLong, {
      close: () => this.#closeDetails(),
      copy: (message) => void this.#copy([message]),
      showMore: () => {
        this.#isLong = true;
        this.requestUpdate();
      },
    });
  }

  /** The notifications that are about a request. */
  #notificationsOf({ number }: WireEntry): readonly WireEntry[] {
    return this.#lines.notifications.get(number) ?? [];
  }

  /** The messages of a line, in their order. */
  #messagesOf(entry: WireEntry): unknown[] {
    const notifications = this.#notificationsOf(entry).map(({ message }) => message);
    return [entry.message, ...notifications, entry.answer].filter((one) => one !== undefined);
  }

  #sizeOf(entry: WireEntry): number {
    return this.recorder?.sizeOf(entry) ?? 0;
  }

  readonly #toolbar = {
    filter: (change: Partial<WireFilter>) => this.#lines.changeFilter(change),
    clear: () => {
      this.#lines.clear();
      this.#areDetailsOpen = false;
    },
    save: () => void this.#save(),
  };

  #updateRows(): void {
    if (!this.#isFollowing) this.#virtual.keepPlace();
    this.#lines.update();
    const { length } = this.#lines.shown;
    this.#virtual.count = length;
    if (this.#isFollowing) this.#virtual.scrollToRow(length - 1);
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
    if (row) this.#toggle(Number(row.dataset['index']));
  }

  #onKeydown(event: KeyboardEvent): void {
    const index = this.#activeIndex();
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey;
    if (event.key === 'c' && hasModifier && !event.altKey && index >= 0) {
      void this.#copy(this.#messagesOf(this.#lines.shown[index]!));
    } else if (hasModifier) return;
    else if (event.key === 'Enter' || event.key === ' ') this.#toggle(index);
    else {
      const { length } = this.#lines.shown;
      const target = indexForKey(event.key, index, length, this.#virtual.rowsPerPage);
      if (target === undefined) return;
      this.#moveTo(Math.max(0, Math.min(target, length - 1)));
    }
    event.preventDefault();
  }

  #moveTo(index: number): void {
    this.#selected = this.#lines.shown[index];
    this.#isLong = false;
    // A line stays visible while the user looks at it.
    this.#isFollowing = false;
    this.#virtual.scrollToRow(index);
  }

  /** Opens the details of a line, or closes them if they are open. */
  #toggle(index: number): void {
    const entry = this.#lines.shown[index];
    if (!entry) return;
    this.#areDetailsOpen = entry !== this.#selected || !this.#areDetailsOpen;
    this.#moveTo(index);
  }

  #closeOnEscape(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#closeDetails();
  }

  #closeDetails(): void {
    if (this.#areDetailsOpen) this.#scroller.value?.focus();
    this.#areDetailsOpen = false;
    this.requestUpdate();
  }

  #activeIndex(): number {
    return this.#selected ? this.#lines.shown.indexOf(this.#selected) : -1;
  }

  /** Copies messages as JSON. */
  async #copy(messages: readonly unknown[]): Promise<void> {
    const texts = messages.map((one) => jsonOf(one, 2));
    try {
      // The clipboard exists only in secure contexts.
      await navigator.clipboard.writeText(texts.join('\n'));
      this.#say(msg('Copied.', { id: 'mcp.resource-view.copied' }));
    } catch {
      this.#say(
        msg('The browser does not let this page use the clipboard.', { id: 'mcp.wire.no-copy' }),
      );
    }
  }

  /** Saves the lines that are shown as a file. */
  async #save(): Promise<void> {
    try {
      const { isFiltered, shown, entries } = this.#lines;
      const blob = await this.recorder!.toJsonLines(isFiltered ? shown : entries);
      const moment = new Date().toISOString().replaceAll(/[:.]/g, '-');
      downloadBlob(blob, `mcp-messages-${moment}.jsonl`);
    } catch (error) {
      this.#say(formatError(error));
    }
  }

  #say(note: string): void {
    this.#note = note;
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-wire': McpWire;
  }
}

import type { Resource } from '@inpage-mcp/client';
import { VirtualizerController, type VirtualItem } from './virtualizer.js';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { McpElement } from '../element/mcp-element.js';
import { McpResourceSelectEvent } from './events.js';
import { formatAge, formatError, formatSize } from '../text/format.js';
import { icon, iconFor } from '../look/icons.js';
import { ResourceListController } from '../reading/resource-list-controller.js';
import { theme } from '../look/theme.js';
import { truncateText } from '../text/truncate-text.js';
import { VisibleUpdatesController } from '../reading/visible-updates-controller.js';
import { styles } from './mcp-resource-list.styles.js';
import { rowsOf, type Row } from './rows.js';

const ROW_HEIGHT_PX = 54;
const HEADING_HEIGHT_PX = 34;

/** What is kept where it is on the screen while the rows around it change. */
interface Anchor {
  uri: string;
  /** How far its upper edge is below that of the list, in pixels. */
  offset: number;
}

/**
 * The resources of an MCP server, page by page as one scrolls, kept current by subscriptions.
 *
 * Takes its client from `<mcp-provider>` or from its `client` property. Give it a height: it fills
 * its box and scrolls inside.
 *
 * @element mcp-resource-list
 * @slot empty - Shown when the server has no resources.
 * @fires mcp-resource-select - The user chose a resource, by mouse or keyboard.
 * @csspart scroller - The scrolling list box.
 * @csspart row - A resource.
 * @cssprop [--mcp-color-accent] - Selection and focus.
 * @cssprop [--mcp-color-updated] - Background of a row that has just been updated.
 */
export class McpResourceList extends McpElement {
  static override readonly styles = [theme, styles];

  /** `focus()` on the element reaches the list box inside. */
  static override readonly shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };

  static override readonly properties = {
    selected: {},
    label: {},
  };

  /** The address of the selected resource. Setting it fires no event. Default: none. */
  declare selected: string | undefined;
  /** The accessible name of the list. Default: `Resources`. */
  declare label: string;

  readonly #list = new ResourceListController(this);
  readonly #updates = new VisibleUpdatesController(this, (uri) => this.#onUpdated(uri));
  readonly #scroller = createRef<HTMLElement>();
  readonly #virtualizer = new VirtualizerController<HTMLElement, HTMLElement>(this, {
    count: 0,
    getScrollElement: () => this.#scroller.value ?? null,
    estimateSize: (index) =>
      this.#rows[index]?.kind === 'heading' ? HEADING_HEIGHT_PX : ROW_HEIGHT_PX,
    getItemKey: (index) => keyOf(this.#rows[index]!),
    overscan: 8,
  });
  #rows: Row[] = [];
  #shown: readonly Resource[] = [];
  /** The row the keyboard is at, by address: it survives a refresh. */
  #active: string | undefined;
  #announcement = '';
  /** Set while the rows have changed and the list has yet to be scrolled to where it was. */
  #anchors: Anchor[] = [];

  constructor() {
    super();
    this.label = 'Resources';
  }

  /** The rows loaded so far, in the order of the server. */
  get resources(): readonly Resource[] {
    return this.#list.resources;
  }

  /** Tries again after an error. */
  retry(): void {
    this.#list.retry();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#list.client = this.connection.client;
    if (changed.has('selected')) this.#active = this.selected;
    if (this.#shown !== this.#list.resources) this.#updateRows();
  }

  protected override updated(): void {
    this.#scrollToAnchor();
    const rows = this.#rowsInSight();
    const first = rows.at(0)?.position;
    const last = rows.at(-1)?.position;
    if (first !== undefined && last !== undefined) this.#list.show({ first, last });
    else if (this.#rows.length === 0) this.#list.show({ first: 0, last: 0 });
    const uris = rows.flatMap((row) => (row.kind === 'resource' ? [row.resource.uri] : []));
    this.#updates.show(this.connection.client, uris);
  }

  protected override render(): TemplateResult {
    const { status, resources } = this.#list;
    return html`
      ${resources.length > 0 ? this.#renderList() : this.#renderState()}
      <div class="visually-hidden" role="status">
        ${status === 'ready' ? this.#announcement : nothing}
      </div>
    `;
  }

  #renderState(): TemplateResult {
    switch (this.#list.status) {
      case 'error':
        return this.#renderError('message');
      case 'ready':
        if (this.#list.unusable > 0) return this.#renderUnusable('message', 'alert');
        return html`<div class="message">
          <slot name="empty">There are no resources yet.</slot>
        </div>`;
      default:
        return html`<div class="skeletons" aria-busy="true" role="group" aria-label=${this.label}>
          <span class="visually-hidden">Loading resources</span>
          ${Array.from({ length: 5 }, () => html`<div class="skeleton"></div>`)}
        </div>`;
    }
  }

  #renderError(className: string): TemplateResult {
    return html`<div class=${className} role="alert">
      <span>${formatError(this.#list.error)}</span>
      <button @click=${this.retry}>Try again</button>
    </div>`;
  }

  /** Says how much is missing. */
  #renderUnusable(className: string, role: 'alert' | 'note'): TemplateResult {
    const count = this.#list.unusable;
    const which = count === 1 ? 'One entry' : `${count.toLocaleString()} entries`;
    return html`<div class=${className} role=${role}>
      <span>${which} of the server cannot be shown.</span>
      ${role === 'alert' ? html`<button @click=${this.retry}>Try again</button>` : nothing}
    </div>`;
  }

  #renderList(): TemplateResult {
    const { status, unusable } = this.#list;
    const virtualizer = this.#virtualizer.getVirtualizer();
    const active = this.#activePosition();
    return html`<div class="frame">
      <div
        class="scroller"
        part="scroller"
        role="listbox"
        tabindex="0"
        aria-label=${this.label}
        aria-activedescendant=${active < 0 ? nothing : `option-${active}`}
        ${ref(this.#scroller)}
        @click=${this.#onClick}
        @keydown=${this.#onKeydown}
      >
        <div
          class="space"
          role="presentation"
          .style=${`block-size: ${virtualizer.getTotalSize()}px`}
        >
          ${repeat(
            virtualizer.getVirtualItems(),
            ({ key }) => key,
            (item) => this.#renderRow(item, active),
          )}
        </div>
      </div>
      ${unusable > 0 ? this.#renderUnusable('more', 'note') : nothing}
      ${status === 'error' ? this.#renderError('more') : nothing}
    </div>`;
  }

  #renderRow(item: VirtualItem, active: number): TemplateResult {
    const row = this.#rows[item.index]!;
    const place = `block-size: ${item.size}px; transform: translateY(${item.start}px)`;
    if (row.kind === 'heading') {
      return html`<div class="heading" role="presentation" .style=${place}>${row.scheme}</div>`;
    }
    const { resource, position } = row;
    const updated = this.#updates.isRecent(resource.uri);
    return html`<div
      id=${`option-${position}`}
      class=${`row${updated ? ' updated' : ''}${position === active ? ' active' : ''}`}
      part="row"
      role="option"
      aria-selected=${resource.uri === this.selected}
      aria-setsize=${this.#list.hasMore ? -1 : this.#shown.length}
      aria-posinset=${position + 1}
      data-position=${position}
      .style=${place}
    >
      ${icon(iconFor(resource.mimeType))}
      <span class="texts">
        <span class="title">${titleOf(resource)}</span>
        <span class="details">${updated ? 'updated just now' : detailsOf(resource)}</span>
      </span>
      ${updated ? html`<span class="dot"></span>` : nothing}
    </div>`;
  }

  #updateRows(): void {
    this.#anchors = this.#anchorsInSight();
    this.#shown = this.#list.resources;
    this.#rows = rowsOf(this.#shown);
    const virtualizer = this.#virtualizer.getVirtualizer();
    virtualizer.setOptions({ ...virtualizer.options, count: this.#rows.length });
    virtualizer.measure();
  }

  #rowsInSight(): Row[] {
    const items = this.#virtualizer.getVirtualizer().getVirtualItems();
    return items.flatMap(({ index }) => this.#rows[index] ?? []);
  }

  /** The rows that can be seen, from above; none where the list is at its start, and stays there. */
  #anchorsInSight(): Anchor[] {
    const top = this.#scroller.value?.scrollTop ?? 0;
    if (top === 0) return [];
    return this.#virtualizer
      .getVirtualizer()
      .getVirtualItems()
      .filter(({ end }) => end > top)
      .flatMap(({ index, start }) => {
        const row = this.#rows[index];
        return row?.kind === 'resource' ? { uri: row.resource.uri, offset: start - top } : [];
      });
  }

  /** Brings the first row that is still there to where it was. */
  #scrollToAnchor(): void {
    const anchors = this.#anchors;
    this.#anchors = [];
    const indexes = this.#indexesOf(new Set(anchors.map(({ uri }) => uri)));
    const anchor = anchors.find(({ uri }) => indexes.has(uri));
    const scroller = this.#scroller.value;
    if (!anchor || !scroller) return;
    const place = this.#virtualizer
      .getVirtualizer()
      .getOffsetForIndex(indexes.get(anchor.uri)!, 'start');
    const top = place ? place[0] - anchor.offset : scroller.scrollTop;
    // Where nothing moved, a scroll that is under way goes on.
    if (Math.abs(top - scroller.scrollTop) >= 1) scroller.scrollTop = top;
  }

  #indexesOf(uris: ReadonlySet<string>): Map<string, number> {
    const indexes = new Map<string, number>();
    if (uris.size === 0) return indexes;
    for (const [index, row] of this.#rows.entries()) {
      if (row.kind === 'resource' && uris.has(row.resource.uri))
        indexes.set(row.resource.uri, index);
    }
    return indexes;
  }

  #activePosition(): number {
    if (this.#active === undefined) return -1;
    return this.#shown.findIndex(({ uri }) => uri === this.#active);
  }

  #onUpdated(uri: string): void {
    // Among those in sight, as only they are watched: this may be called 10,000 times a second.
    for (const row of this.#rowsInSight()) {
      if (row.kind !== 'resource' || row.resource.uri !== uri) continue;
      this.#announcement = `${titleOf(row.resource)} was updated`;
      // Its size and its time are another now.
      this.#list.refreshRow(row.position);
    }
  }

  #onClick(event: MouseEvent): void {
    const row = (event.target as Element).closest<HTMLElement>('[data-position]');
    if (row) this.#select(Number(row.dataset['position']), 'open');
  }

  #onKeydown(event: KeyboardEvent): void {
    const position = this.#positionFor(event.key);
    if (position === undefined) return;
    event.preventDefault();
    const intent = event.key === 'Enter' || event.key === ' ' ? 'open' : 'browse';
    this.#select(Math.max(0, Math.min(position, this.#shown.length - 1)), intent);
  }

  /** Where a key leads; `undefined` for a key that means nothing here. */
  #positionFor(key: string): number | undefined {
    const current = this.#activePosition();
    const page = Math.max(
      1,
      Math.floor((this.#scroller.value?.clientHeight ?? 0) / ROW_HEIGHT_PX) - 1,
    );
    switch (key) {
      case 'ArrowDown':
        return current + 1;
      case 'ArrowUp':
        return current < 0 ? this.#shown.length - 1 : current - 1;
      case 'PageDown':
        return current + page;
      case 'PageUp':
        return current - page;
      case 'Home':
        return 0;
      case 'End':
        return this.#shown.length - 1;
      case 'Enter':
      case ' ':
        return Math.max(0, current);
      default:
        return undefined;
    }
  }

  #select(position: number, intent: 'open' | 'browse'): void {
    const resource = this.#shown[position];
    if (!resource) return;
    this.selected = resource.uri;
    this.requestUpdate();
    const index = this.#rows.findIndex(
      (row) => row.kind === 'resource' && row.position === position,
    );
    this.#virtualizer.getVirtualizer().scrollToIndex(index, { align: 'auto' });
    this.dispatchEvent(new McpResourceSelectEvent(resource, intent));
  }
}

function keyOf(row: Row): string {
  return row.kind === 'heading' ? `heading ${row.position}` : row.resource.uri;
}

function titleOf({ title, name }: Resource): string {
  return truncateText(title ?? name);
}

function detailsOf({ mimeType, size, annotations }: Resource): string {
  const parts = [
    mimeType && truncateText(mimeType, 100),
    size === undefined ? undefined : formatSize(size),
    annotations?.lastModified && formatAge(annotations.lastModified),
  ];
  return parts.filter(Boolean).join(' · ');
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-resource-list': McpResourceList;
  }
}

import type { ReactiveController, ReactiveControllerHost, TemplateResult } from 'lit';
import { css, html } from 'lit';
import { observeSizes } from '../look/observe-sizes.js';

/** The number of rows that are drawn above and below the visible rows. */
const OVERSCAN = 4;

/** The number of rows that are drawn before their height is known. */
const FIRST_ROWS = 12;

/** The options for finding the rows. */
export interface RowWindowOptions {
  /** The scrolling element, as soon as it is rendered. */
  scroller: () => HTMLElement | undefined;
  /** A string for the row at an index, which no other row has. */
  keyOf: (index: number) => string;
}

/**
 * Finds the visible rows of any number of rows, and keeps their place. All rows have the same height, and
 * headings half of it, which the style sheet sets in any unit; the controller measures it, also after the
 * font has grown.
 *
 * The host sets `count` and `headings` before each rendering, and puts `renderWindow()` into the scroller, whose position
 * must not be `static`. A row has the class `row`, and a `block-size`; a heading has the class `heading`, too.
 */
export class RowWindow implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: RowWindowOptions;
  // In the next frame, because other rows are drawn and observed then, which an observer would report as a
  // loop.
  readonly #sizes = observeSizes(() => requestAnimationFrame(() => this.#measure()));
  #observed: readonly Element[] = [];
  #rowHeight = 0;
  /** The height of a row when the rows were last rendered. */
  #renderedRowHeight = 0;
  #viewHeight = 0;
  #first = 0;
  #end = FIRST_ROWS;
  /**
   * The rows that stay at their place on the screen while others change: by their keys, the distance of their
   * upper edge from that of the scroller, in rows.
   */
  readonly #anchors = new Map<string, number>();
  #scrollTarget: number | undefined;
  /** The number of rows. */
  count = 0;
  /** The indexes of rows that are half as high, in their order. */
  headings: readonly number[] = [];

  constructor(host: ReactiveControllerHost, options: RowWindowOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** The height of a row in pixels; 0 until it is known. */
  get rowHeight(): number {
    return this.#rowHeight;
  }

  /** The index of the first row that is drawn. */
  get first(): number {
    return Math.min(this.#first, Math.max(0, this.count - 1));
  }

  /** The index after the last row that is drawn. */
  get end(): number {
    return Math.min(this.#end, this.count);
  }

  /** The indexes of the rows that are drawn. */
  get indexes(): number[] {
    const { first, end } = this;
    return Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);
  }

  /** A string for the row at an index, which no other row has. */
  protected get keyOf(): (index: number) => string {
    return this.#options.keyOf;
  }

  /** The number of whole rows that fit into the scroller; at least 1. */
  get rowsPerPage(): number {
    return Math.max(1, Math.floor(this.#viewHeight / (this.#rowHeight || 1)));
  }

  /** Keeps the visible rows at their place. Must be called before the rows change. */
  keepPlace(): void {
    this.#anchors.clear();
    const top = this.#options.scroller()?.scrollTop ?? 0;
    // At its start, a list shows its new rows.
    if (top === 0 || this.#rowHeight === 0) return;
    for (const index of this.indexes) {
      const offset = this.#rowsTo(index) - top / this.#rowHeight;
      // Rows above are not kept, because others may be inserted between them and the visible ones.
      if (offset > -1) this.#anchors.set(this.#options.keyOf(index), offset);
    }
  }

  /** Scrolls as little as possible to show a row, after the next rendering. */
  scrollToRow(index: number): void {
    this.#scrollTarget = index;
    this.#host.requestUpdate();
  }

  /**
   * The visible rows, in a space as high as all rows. The elements are reused for other rows when those
   * become visible, so rows that can have the focus need `VirtualRows`.
   *
   * @param rows The rows from `first` to `end`; they may be in groups.
   */
  renderWindow(rows: unknown): TemplateResult {
    this.#renderedRowHeight = this.#rowHeight;
    return html`<div
      class="rows"
      role="presentation"
      .style=${`block-size: ${this.#rowsTo(this.count) * this.#rowHeight}px`}
    >
      <div
        class="rows-in-sight"
        role="presentation"
        .style=${`transform: translateY(${this.#rowsTo(this.first) * this.#rowHeight}px)`}
      >
        ${rows}
      </div>
    </div>`;
  }

  hostUpdate(): void {
    // The rows that become visible are drawn now, not after the scroll event.
    const scroller = this.#options.scroller();
    const top = scroller && this.#nextTop(scroller);
    if (top !== undefined) this.#setRange(top);
  }

  hostUpdated(): void {
    this.#observe();
    this.#measure();
    this.#scroll();
    this.#updateRange();
  }

  hostConnected(): void {
    // An element that was only moved is not updated otherwise, so that nothing would be observed.
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#sizes?.disconnect();
    for (const element of this.#observed) element.removeEventListener('scroll', this.#onScroll);
    this.#observed = [];
  }

  readonly #onScroll = (): void => this.#updateRange();

  /** Any row except a heading. It has the size of all rows, which changes with the font. */
  get #row(): Element | null | undefined {
    return this.#options.scroller()?.querySelector('.row:not(.heading)');
  }

  #observe(): void {
    const elements = [this.#options.scroller(), this.#row].filter(
      (element) => element?.isConnected,
    ) as Element[];
    if (elements.every((element, index) => element === this.#observed[index])) return;
    this.hostDisconnected();
    this.#observed = elements;
    for (const element of elements) this.#sizes?.observe(element);
    elements[0]?.addEventListener('scroll', this.#onScroll, { passive: true });
  }

  #measure(): void {
    const scroller = this.#options.scroller();
    const row = this.#row;
    if (!scroller || !row) return;
    this.#viewHeight = scroller.clientHeight;
    // The computed style is used because it ignores transforms, and includes the fraction of a pixel.
    const height = parseFloat(getComputedStyle(row).blockSize);
    if (height > 0 && height !== this.#rowHeight) {
      if (this.#rowHeight > 0) this.keepPlace();
      this.#rowHeight = height;
      this.#host.requestUpdate();
    }
    this.#updateRange();
  }

  #updateRange(): void {
    const scroller = this.#options.scroller();
    if (!scroller || this.#rowHeight === 0) return;
    // A scroll that is about to happen already has its range.
    if (this.#scrollTarget !== undefined || this.#anchors.size > 0) return;
    if (this.#setRange(scroller.scrollTop)) this.#host.requestUpdate();
  }

  /** Sets the rows that are drawn. Returns whether they have changed. */
  #setRange(scrollTop: number): boolean {
    let top = Math.max(0, scrollTop) / this.#rowHeight;
    for (const heading of this.headings) if (heading < top) top += 0.5;
    // The range changes in steps, so that most scroll events draw nothing new.
    const first = Math.max(0, Math.floor(top / OVERSCAN) * OVERSCAN - OVERSCAN);
    const last = Math.ceil((top + this.#viewHeight / this.#rowHeight) / OVERSCAN) * OVERSCAN;
    const end = last + OVERSCAN;
    if (first === this.#first && end === this.#end) return false;
    this.#first = first;
    this.#end = end;
    return true;
  }

  #scroll(): void {
    const scroller = this.#options.scroller();
    if (!scroller || this.#rowHeight === 0) return;
    // The space for the rows has its new height after the next rendering.
    if (this.#renderedRowHeight !== this.#rowHeight) return;
    const top = this.#nextTop(scroller);
    this.#scrollTarget = undefined;
    this.#anchors.clear();
    // If nothing has moved, a scroll that is in progress continues.
    if (top !== undefined && Math.abs(top - scroller.scrollTop) >= 1) scroller.scrollTop = top;
  }

  /** The wanted scroll position. */
  #nextTop(scroller: HTMLElement): number | undefined {
    if (this.#rowHeight === 0) return undefined;
    const target = this.#scrollTarget;
    return target === undefined ? this.#topOfAnchor() : this.#topFor(target, scroller);
  }

  /**
   * The scroll position that shows a row. Its content may be higher than the row, because the active row
   * shows its whole title.
   */
  #topFor(index: number, scroller: HTMLElement): number {
    const start = this.#rowsTo(index) * this.#rowHeight;
    const height = scroller.querySelector('.active')?.scrollHeight ?? this.#rowHeight;
    return Math.min(start, Math.max(scroller.scrollTop, start + height - this.#viewHeight));
  }

  /** The upper edge of a row, in rows. */
  #rowsTo(index: number): number {
    let rows = index;
    for (const heading of this.headings) if (heading < index) rows -= 0.5;
    return rows;
  }

  /** The scroll position of the first anchor that still exists. */
  #topOfAnchor(): number | undefined {
    for (let index = 0; this.#anchors.size > 0 && index < this.count; index += 1) {
      const offset = this.#anchors.get(this.#options.keyOf(index));
      if (offset !== undefined) return (this.#rowsTo(index) - offset) * this.#rowHeight;
    }
    return undefined;
  }
}

/** The styles that the rows need. */
export const rowStyles = css`
  .rows {
    position: relative;
  }

  .rows-in-sight {
    position: absolute;
    inset-inline: 0;
    inset-block-start: 0;
  }
`;

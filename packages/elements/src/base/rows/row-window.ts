import type { ReactiveController, ReactiveControllerHost, TemplateResult } from 'lit';
import { css, html } from 'lit';
import { observeSizes } from '../look/observe-sizes.js';

/** How many rows are drawn above and below the rows in sight. */
const OVERSCAN = 4;

/** How many rows are drawn before their height is known. */
const FIRST_ROWS = 12;

/** A row that stays at its place on the screen while the rows around it change. */
interface Anchor {
  key: string;
  /** The distance of its upper edge from the upper edge of the scroller, in pixels. */
  offset: number;
}

/** How the rows are found. */
export interface RowWindowOptions {
  /** The scrolling element, as soon as it is rendered. */
  scroller: () => HTMLElement | undefined;
  /** A string for the row at an index, that no other row has. */
  keyOf: (index: number) => string;
}

/**
 * Finds the rows in sight of any number of rows, and keeps their place. All rows have the same height, which the style
 * sheet sets in any unit; the controller measures it, also after the font has grown.
 *
 * The host sets `count` before each rendering, and puts `renderWindow()` into the scroller, whose position
 * must not be `static`. A row has the class `row`, and a `block-size`.
 */
export class RowWindow implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: RowWindowOptions;
  // In the next frame: other rows are drawn and observed then, which an observer reports as a loop.
  readonly #sizes = observeSizes(() => requestAnimationFrame(() => this.#measure()));
  #observed: readonly Element[] = [];
  #rowHeight = 0;
  /** The height of a row when the rows were last rendered. */
  #renderedRowHeight = 0;
  #viewHeight = 0;
  #first = 0;
  #end = FIRST_ROWS;
  #anchors: Anchor[] = [];
  #scrollTarget: number | undefined;
  #count = 0;

  constructor(host: ReactiveControllerHost, options: RowWindowOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** How many rows exist. */
  get count(): number {
    return this.#count;
  }

  set count(count: number) {
    this.#count = count;
  }

  /** The height of a row in pixels; 0 until it is known. */
  get rowHeight(): number {
    return this.#rowHeight;
  }

  /** The index of the first row that is drawn. */
  get first(): number {
    return Math.min(this.#first, Math.max(0, this.#count - 1));
  }

  /** The index after the last row that is drawn. */
  get end(): number {
    return Math.min(this.#end, this.#count);
  }

  /** The indexes of the rows that are drawn. */
  get indexes(): number[] {
    const { first, end } = this;
    return Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);
  }

  /** A string for the row at an index, that no other row has. */
  protected get keyOf(): (index: number) => string {
    return this.#options.keyOf;
  }

  /** How many whole rows fit into the scroller; at least 1. */
  get rowsPerPage(): number {
    return Math.max(1, Math.floor(this.#viewHeight / (this.#rowHeight || 1)));
  }

  /** Keeps the rows in sight where they are. To be called before the rows change. */
  keepPlace(): void {
    this.#anchors = [];
    const top = this.#options.scroller()?.scrollTop ?? 0;
    // At its start, a list shows what is new.
    if (top === 0 || this.#rowHeight === 0) return;
    const first = Math.floor(top / this.#rowHeight);
    const last = Math.min(this.end, first + this.rowsPerPage + 1);
    for (let index = first; index < last; index += 1) {
      const offset = index * this.#rowHeight - top;
      this.#anchors.push({ key: this.#options.keyOf(index), offset });
    }
  }

  /** Scrolls as little as is needed to show a row, after the next rendering. */
  scrollToRow(index: number): void {
    this.#scrollTarget = index;
    this.#host.requestUpdate();
  }

  /**
   * The rows in sight, in a space as high as all rows. An element shows another row when other rows
   * come into sight, so rows that can have the focus need `VirtualRows`.
   *
   * @param rows The rows from `first` to `end`; they may be in groups.
   */
  renderWindow(rows: unknown): TemplateResult {
    this.#renderedRowHeight = this.#rowHeight;
    return html`<div
      class="rows"
      role="presentation"
      .style=${`block-size: ${this.#count * this.#rowHeight}px`}
    >
      <div
        class="rows-in-sight"
        role="presentation"
        .style=${`transform: translateY(${this.first * this.#rowHeight}px)`}
      >
        ${rows}
      </div>
    </div>`;
  }

  hostUpdate(): void {
    // The rows that come into sight are drawn now, not after the scroll event.
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

  hostDisconnected(): void {
    this.#sizes?.disconnect();
    for (const element of this.#observed) element.removeEventListener('scroll', this.#onScroll);
    this.#observed = [];
  }

  readonly #onScroll = (): void => this.#updateRange();

  /** A row has the size that all rows have, and changes it with the font. */
  get #row(): Element | null | undefined {
    return this.#options.scroller()?.querySelector('.row');
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
    // Not what a transform makes of it, and with its fraction of a pixel.
    const height = parseFloat(getComputedStyle(row).blockSize);
    if (height > 0 && height !== this.#rowHeight) {
      if (this.#rowHeight > 0) this.keepPlace();
      for (const anchor of this.#anchors) anchor.offset *= height / this.#rowHeight;
      this.#rowHeight = height;
      this.#host.requestUpdate();
    }
    this.#updateRange();
  }

  #updateRange(): void {
    const scroller = this.#options.scroller();
    if (!scroller || this.#rowHeight === 0) return;
    // A scroll that is about to happen has its range already.
    if (this.#scrollTarget !== undefined || this.#anchors.length > 0) return;
    if (this.#setRange(scroller.scrollTop)) this.#host.requestUpdate();
  }

  /** Returns whether other rows are to be drawn. */
  #setRange(scrollTop: number): boolean {
    const top = Math.max(0, scrollTop) / this.#rowHeight;
    // In steps, so that most scroll events draw nothing new.
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
    this.#anchors = [];
    // Where nothing moved, a scroll that is under way goes on.
    if (top !== undefined && Math.abs(top - scroller.scrollTop) >= 1) scroller.scrollTop = top;
  }

  /** Where the scroller is to be scrolled to. */
  #nextTop({ scrollTop }: HTMLElement): number | undefined {
    if (this.#rowHeight === 0) return undefined;
    const target = this.#scrollTarget;
    return target === undefined ? this.#topOfAnchor() : this.#topFor(target, scrollTop);
  }

  #topFor(index: number, top: number): number {
    const start = index * this.#rowHeight;
    return Math.min(start, Math.max(top, start + this.#rowHeight - this.#viewHeight));
  }

  /** Where the first anchor is now that still exists. */
  #topOfAnchor(): number | undefined {
    if (this.#anchors.length === 0) return undefined;
    const offsets = new Map(this.#anchors.map(({ key, offset }) => [key, offset]));
    for (let index = 0; index < this.#count; index += 1) {
      const offset = offsets.get(this.#options.keyOf(index));
      if (offset !== undefined) return index * this.#rowHeight - offset;
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

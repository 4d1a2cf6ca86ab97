import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { RowWindow } from './row-window.js';

export { rowStyles } from './row-window.js';

/**
 * Draws the visible rows of any number of rows. Each row keeps its element while it is visible, so that the
 * parts inside it keep the focus.
 *
 * The host sets `count` before each rendering, and puts `render()` into the scroller, whose position
 * must not be `static`. A row has the class `row`, and a `block-size`.
 */
export class VirtualRows extends RowWindow {
  /**
   * The visible rows, in a space as high as all rows.
   *
   * @param renderRow Renders the row at an index.
   */
  render(renderRow: (index: number) => TemplateResult): TemplateResult {
    return this.renderWindow(repeat(this.indexes, this.keyOf, renderRow));
  }
}

import { nothing, type TemplateResult } from 'lit';
import type { Cursor } from './cursor.js';
import type { Row, Rows } from './row.js';
import { TypeAhead } from './type-ahead.js';

/** What a list needs beyond the simple one; loaded when it is first used. */
export class ListTools {
  readonly rows: Rows | undefined = undefined;
  readonly isReady: boolean = false;
  readonly #cursor: Cursor;
  readonly #typeAhead = new TypeAhead();

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  renderToolbar(): TemplateResult | typeof nothing {
    return nothing;
  }

  renderControls(_row: Row): TemplateResult | typeof nothing {
    return nothing;
  }

  /** Does what a key means. Returns whether it means anything. */
  press({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
    if (key.length > 1 || ctrlKey || metaKey) return false;
    if (key === ' ' && !this.#typeAhead.isTyping) return false;
    const { rows, index } = this.#cursor;
    const target = this.#typeAhead.type(key, rows, index);
    if (target >= 0) this.#cursor.select(target, 'browse');
    return true;
  }

  /** Does what a click means. Returns whether it means anything special. */
  click(_event: MouseEvent, _index: number): boolean {
    return false;
  }

  update(_hasMore: boolean): void {}
}

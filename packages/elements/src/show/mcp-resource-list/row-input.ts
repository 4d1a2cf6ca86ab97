import type { ResourceListController } from '../../reading/resource-list-controller.js';
import type { Cursor } from './rows/cursor.js';
import type { LazyTools } from './shown-rows.js';
import { MAX_RESOURCES } from './rows/rows.js';

/** The maximum distance that a pointer moves in a click, in CSS pixels. */
const MAX_MOVE = 10;

/** Handles the actions of the user on the rows, with a pointer and with the keyboard. */
export class RowInput {
  /** Whether the user wants to go to the end, of which some pages are not loaded yet. */
  isGoingToEnd = false;
  /** The last pointer of the user: `mouse`, `touch` or `pen`. */
  #pointerType = '';
  /** The last press on a row, and the key of that row. */
  #press: PointerEvent | undefined;
  #pressed = '';
  readonly #list: ResourceListController;
  readonly #cursor: Cursor;
  readonly #tools: LazyTools;

  constructor(list: ResourceListController, cursor: Cursor, tools: LazyTools) {
    this.#list = list;
    this.#cursor = cursor;
    this.#tools = tools;
  }

  readonly onpointerdown = (event: PointerEvent): void => {
    const { currentTarget, pointerType } = event;
    const index = indexOfRow(event);
    this.#pointerType = pointerType;
    this.#pressed = index === undefined ? '' : this.#cursor.rows.keyAt(index);
    this.#press = event;
    // A touch shows the whole title of the active row, and Escape closes it.
    setClass(currentTarget, 'touch', pointerType === 'touch');
  };

  readonly onclick = (event: MouseEvent): void => {
    const index = this.#indexOf(event);
    if (index === undefined || this.#tools.value?.click(event, index)) return;
    this.isGoingToEnd = false;
    this.#cursor.select(index, 'open');
    // In some browsers, a click is not a pointer event.
    const { pointerType = this.#pointerType } = event as Partial<PointerEvent>;
    // A tap, or a click of an assistive technology.
    if (pointerType !== 'mouse') this.#cursor.activate(index);
  };

  readonly ondblclick = (event: MouseEvent): void => {
    // A tap has already activated the row.
    const index = this.#indexOf(event);
    if (index !== undefined && this.#pointerType === 'mouse') this.#cursor.activate(index);
  };

  readonly onkeydown = (event: KeyboardEvent): void => {
    const { key, altKey, currentTarget } = event;
    const tools = this.#tools;
    setClass(currentTarget, 'brief', key === 'Escape');
    if (altKey) return;
    this.isGoingToEnd = key === 'End' && this.#list.hasMore;
    if (tools.value?.press(event) || this.#pressKey(key)) event.preventDefault();
    // The tools find a row by the first letters of its title.
    else if (!tools.value && key.length === 1)
      void tools.load().then(() => tools.value?.press(event));
  };

  /** Continues to move to the end while further pages arrive. Must be called after each rendering. */
  goOn(): void {
    if (!this.isGoingToEnd) return;
    const { hasMore, status, resources } = this.#list;
    this.isGoingToEnd = hasMore && status !== 'error' && resources.length < MAX_RESOURCES;
    if (!this.isGoingToEnd && resources.length > 0) this.#pressKey('End');
  }

  /**
   * The index of the row for a click. It is that of the row that was pressed, although the list may have
   * drawn another row there before the release.
   */
  #indexOf(event: MouseEvent): number | undefined {
    const { clientX: x = Infinity, clientY: y = 0 } = this.#press ?? {};
    const hasMoved = Math.hypot(event.clientX - x, event.clientY - y) > MAX_MOVE;
    // A click without a pointer comes from a program or an assistive technology.
    if (hasMoved || event.detail === 0) return indexOfRow(event);
    const index = this.#cursor.rows.indexOf(this.#pressed);
    return index < 0 ? undefined : index;
  }

  /** Handles a key. Returns whether it had an effect. */
  #pressKey(key: string): boolean {
    const cursor = this.#cursor;
    const isOpening = key === 'Enter' || key === ' ';
    const target =
      isOpening && cursor.index >= 0 ? cursor.index : cursor.targetOf(isOpening ? 'Home' : key);
    if (target === undefined) return false;
    cursor.select(target, isOpening ? 'open' : 'browse');
    if (key === 'Enter') cursor.activate(target);
    return true;
  }
}

function setClass(scroller: EventTarget | null, name: string, isOn: boolean): void {
  (scroller as Element).classList.toggle(name, isOn);
}

/** The index of the row in which an event occurred. */
function indexOfRow({ target }: Event): number | undefined {
  const row = (target as Element).closest<HTMLElement>('[data-index]');
  return row ? Number(row.dataset['index']) : undefined;
}

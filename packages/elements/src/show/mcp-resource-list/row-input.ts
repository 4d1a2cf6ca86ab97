import type { ResourceListController } from '../../reading/resource-list-controller.js';
import type { Cursor } from './rows/cursor.js';
import type { LazyTools } from './shown-rows.js';
import { MAX_RESOURCES } from './rows/rows.js';

/** How far a pointer may move between its press and its release, in px, and still click. */
const MAX_PRESS_DISTANCE = 10;

/** The acts of the user on the rows, with a pointer and with the keyboard. */
export class RowInput {
  /** Whether the user wants to go to the end, of which some pages are not loaded yet. */
  isGoingToEnd = false;
  /** The last pointer of the user: `mouse`, `touch` or `pen`. */
  #pointerType = '';
  /** The key of the row that it was last pressed on, and where. */
  #pressed: string | undefined;
  #pressedAt = { clientX: 0, clientY: 0 };
  readonly #list: ResourceListController;
  readonly #cursor: Cursor;
  readonly #tools: LazyTools;

  constructor(list: ResourceListController, cursor: Cursor, tools: LazyTools) {
    this.#list = list;
    this.#cursor = cursor;
    this.#tools = tools;
  }

  readonly onpointerdown = (event: PointerEvent): void => {
    const { currentTarget, pointerType, clientX, clientY } = event;
    this.#pointerType = pointerType;
    const index = indexOfRow(event);
    this.#pressed = index === undefined ? undefined : this.#cursor.rows.keyAt(index);
    this.#pressedAt = { clientX, clientY };
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
    // A tap has activated the row already.
    const index = this.#indexOf(event);
    if (index !== undefined && this.#pointerType === 'mouse') this.#cursor.activate(index);
  };

  readonly onkeydown = (event: KeyboardEvent): void => {
    const { key, altKey, currentTarget } = event;
    const tools = this.#tools;
    setClass(currentTarget, 'brief', key === 'Escape');
    if (altKey) return;
    this.isGoingToEnd = key === 'End' && this.#list.hasMore;
    if (tools.value?.press(event) || this.#press(key)) event.preventDefault();
    // The tools find a row by the first letters of its title.
    else if (!tools.value && key.length === 1)
      void tools.load().then(() => tools.value?.press(event));
  };

  /** Goes on to the end while further pages arrive. To be called after each rendering. */
  goOn(): void {
    if (!this.isGoingToEnd) return;
    const { hasMore, status, resources } = this.#list;
    this.isGoingToEnd = hasMore && status !== 'error' && resources.length < MAX_RESOURCES;
    if (!this.isGoingToEnd && resources.length > 0) this.#press('End');
  }

  /**
   * The index of the row that a click is about. While the pointer was down, the list may have moved another row under
   * it, or this one away: the user meant the row that was pressed.
   */
  #indexOf(event: MouseEvent): number | undefined {
    const { clientX, clientY } = this.#pressedAt;
    const distance = Math.hypot(event.clientX - clientX, event.clientY - clientY);
    // A click of an assistive technology has no press before it, and a pointer that has moved means something else.
    const isOfPress = event.detail > 0 && distance <= MAX_PRESS_DISTANCE;
    const pressed = isOfPress ? this.#cursor.rows.indexOf(this.#pressed) : -1;
    return pressed >= 0 ? pressed : indexOfRow(event);
  }

  /** Does what a key means. Returns whether it means anything. */
  #press(key: string): boolean {
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

/** The index of the row that an event is about. */
function indexOfRow({ target }: Event): number | undefined {
  const row = (target as Element).closest<HTMLElement>('[data-index]');
  return row ? Number(row.dataset['index']) : undefined;
}

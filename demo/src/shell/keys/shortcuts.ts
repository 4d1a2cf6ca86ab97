import type { ReactiveController } from 'lit';
import { forget, recall, remember } from '../../session/remembered.js';

/** Says that keys without Ctrl or ⌘ do nothing. */
const OFF_KEY = 'inpage-mcp-demo-single-keys-off';

/** What keys of the page do; each returns whether it did something. */
export interface ShortcutActions {
  search(): boolean;
  showKeys(): boolean;
  undo(): boolean;
}

/** The keys that work wherever the focus is, but for what a field or a dialog does with them. */
export class Shortcuts implements ReactiveController {
  readonly #actions: ShortcutActions;

  constructor(actions: ShortcutActions) {
    this.#actions = actions;
  }

  hostConnected(): void {
    // Before the list, which takes every key for the beginning of a title.
    addEventListener('keydown', this.#onKeydown, { capture: true });
  }

  hostDisconnected(): void {
    removeEventListener('keydown', this.#onKeydown, { capture: true });
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const action = this.#actionOf(event);
    if (!action || !this.#actions[action]()) return;
    event.preventDefault();
    event.stopPropagation();
  };

  #actionOf(event: KeyboardEvent): keyof ShortcutActions | undefined {
    const path = event.composedPath();
    if (path.some((target) => target instanceof HTMLDialogElement)) return undefined;
    const isTyping = isField(path[0]);
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === 'k' && !event.shiftKey) return 'search';
      return key === 'z' && !event.shiftKey && !isTyping ? 'undo' : undefined;
    }
    if (isTyping || !areSingleKeysOn()) return undefined;
    if (event.key === '/') return 'search';
    return event.key === '?' ? 'showKeys' : undefined;
  }
}

/** Whether `/` and `?` work. Who speaks to the computer may want to switch them off. Default: yes. */
export function areSingleKeysOn(): boolean {
  return recall(OFF_KEY) === null;
}

export function switchSingleKeys(isOn: boolean): void {
  if (isOn) forget(OFF_KEY);
  else remember(OFF_KEY, 'off');
}

function isField(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLInputElement)
    return !/^(button|checkbox|radio|file|range)$/.test(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLElement && target.isContentEditable;
}

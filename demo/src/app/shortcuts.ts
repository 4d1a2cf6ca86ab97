import type { ReactiveController } from 'lit';

/**
 * Handles Ctrl+K (or ⌘K), which searches, and Ctrl+Z, which restores deleted resources, regardless of the
 * focus, unless a field or a dialog uses these keys itself. Each action returns whether it had an effect.
 */
export class Shortcuts implements ReactiveController {
  readonly #actions: { search(): boolean; undo(): boolean };

  constructor(actions: { search(): boolean; undo(): boolean }) {
    this.#actions = actions;
  }

  hostConnected(): void {
    // This runs before the list, which treats every key as the beginning of a title.
    addEventListener('keydown', this.#onKeydown, { capture: true });
  }

  hostDisconnected(): void {
    removeEventListener('keydown', this.#onKeydown, { capture: true });
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const { altKey, ctrlKey, defaultPrevented, isComposing, metaKey, shiftKey } = event;
    if (defaultPrevented || isComposing || altKey || shiftKey || !(ctrlKey || metaKey)) return;
    const path = event.composedPath();
    if (path.some((target) => target instanceof HTMLDialogElement)) return;
    const key = event.key.toLowerCase();
    const isDone =
      (key === 'k' && this.#actions.search()) ||
      (key === 'z' && !isField(path[0]) && this.#actions.undo());
    if (!isDone) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

const isField = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  target.matches('textarea, select, [contenteditable], input:not([type=checkbox])');

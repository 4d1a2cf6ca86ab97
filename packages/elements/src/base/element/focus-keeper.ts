import type { LitElement, ReactiveController } from 'lit';

/** Finds the successor for the focus of a part. It is called before an update, and its result after it. */
type FindSuccessor = (focused: Element) => () => HTMLElement | null | undefined;

/**
 * Keeps the focus inside an element: if an update removes or disables the part that has it, another part gets
 * it. Otherwise a user of the keyboard would continue at the beginning of the page.
 */
export function keepFocus(host: LitElement, findSuccessor: FindSuccessor): void {
  host.addController(new FocusKeeper(host, findSuccessor));
}

class FocusKeeper implements ReactiveController {
  readonly #host: LitElement;
  readonly #findSuccessor: FindSuccessor;
  #focused: Element | null = null;
  #successor: ReturnType<FindSuccessor> | undefined;

  constructor(host: LitElement, findSuccessor: FindSuccessor) {
    this.#host = host;
    this.#findSuccessor = findSuccessor;
  }

  hostUpdate(): void {
    this.#focused = this.#host.shadowRoot?.activeElement ?? null;
    this.#successor = this.#focused ? this.#findSuccessor(this.#focused) : undefined;
  }

  hostUpdated(): void {
    const focused = this.#focused;
    if (!focused || (focused.isConnected && !focused.matches(':disabled'))) return;
    // Only if no other part has taken the focus.
    if (!this.#host.shadowRoot?.activeElement || focused.isConnected) this.#successor?.()?.focus();
  }
}

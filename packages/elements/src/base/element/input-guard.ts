import type { LitElement, ReactiveController } from 'lit';

/** How long a question is there before an answer counts, in milliseconds. */
const GUARD_MS = 500;

/**
 * Keeps a user who is typing or clicking from agreeing to a question that has just appeared: for a
 * moment nothing counts as a yes, each key that is pressed prolongs that moment, and a key that was
 * held down before does nothing.
 */
export class InputGuard implements ReactiveController {
  readonly #host: LitElement;
  #isOpen = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  /** Whether an answer counts. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** A question has appeared. */
  start(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), GUARD_MS);
    this.#host.requestUpdate();
  }

  /** To be called with each `keydown` in the question. */
  readonly onkeydown = (event: KeyboardEvent): void => {
    const confirms = event.key === 'Enter' || event.key === ' ';
    if (confirms && event.repeat) event.preventDefault();
    const isTyping = confirms || event.key.length === 1;
    if (!this.#isOpen && isTyping) this.start();
  };

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  #open(): void {
    this.#isOpen = true;
    this.#host.requestUpdate();
  }
}

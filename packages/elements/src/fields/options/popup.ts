import { css, type ReactiveController, type ReactiveControllerHost } from 'lit';

/** The parts of its host that a popup needs. */
export interface PopupOptions {
  /** The element with `popover="manual"` and the class `popup`, as soon as it is rendered. */
  element: () => HTMLElement | undefined;
  /** The field next to which the popup is shown. */
  anchor: () => HTMLElement | undefined;
}

/**
 * A popup in the top layer, below or above its field, depending on the free space. The browser places it, and
 * moves it with the field. The host decides whether it is open, and always renders it.
 */
export class Popup implements ReactiveController {
  readonly #options: PopupOptions;
  readonly #host: ReactiveControllerHost;
  #isOpen = false;

  constructor(host: ReactiveControllerHost, options: PopupOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  set isOpen(isOpen: boolean) {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    this.#host.requestUpdate();
  }

  hostUpdated(): void {
    const element = this.#options.element();
    if (!element?.isConnected || element.classList.contains('open') === this.#isOpen) return;
    element.classList.toggle('open', this.#isOpen);
    const source = this.#options.anchor();
    // A browser without popovers (Firefox before 125) shows it at its place in the document.
    if (!this.#isOpen) element.hidePopover?.();
    else element.showPopover?.(source && { source });
  }

  hostDisconnected(): void {
    // The browser hides a popover that leaves the document.
    this.#options.element()?.classList.remove('open');
    this.#isOpen = false;
  }
}

/** The styles that a popup needs. A browser that knows no anchors shows it in the middle of the window. */
export const popupStyles = css`
  .popup {
    z-index: 1;
    display: none;
    inline-size: max(anchor-size(inline, 24rem), 15rem);
    max-inline-size: calc(100vw - 8px);
    padding: 0;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    box-shadow: 0 6px 24px rgb(0 0 0 / 18%);
    overflow: hidden;
  }

  .popup.open {
    display: flex;
    flex-direction: column;
  }

  @supports (position-area: block-end) {
    .popup {
      inset: auto;
      max-block-size: 100%;
      margin: 4px 0;
      position-area: block-end span-inline-end;
      position-try: most-block-size flip-block;
    }
  }
`;

import { css, type ReactiveController, type ReactiveControllerHost } from 'lit';

/** The distance to the anchor and to the edges of the window, in pixels. */
const GAP = 4;

/** Below an anchor with less room than this, in pixels, the popup opens above, if there is more. */
const ENOUGH_ROOM = 240;

/** Over a narrower anchor, the popup has a width of its own; in pixels. */
const MIN_WIDTH = 240;

/** The parts of its host that a popup needs. */
export interface PopupOptions {
  /** The element with `popover="manual"` and the class `popup`, as soon as it is rendered. */
  element: () => HTMLElement | undefined;
  /** The box that the popup stands at, in the coordinates of the window. */
  anchor: () => DOMRect | undefined;
}

/**
 * A popup in the top layer, below its anchor or above it. It follows the anchor while the page
 * scrolls. The host says whether it is open, and renders it always.
 */
export class Popup implements ReactiveController {
  readonly #options: PopupOptions;
  readonly #host: ReactiveControllerHost;
  #isOpen = false;
  #following = new AbortController();

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
    if (!element?.isConnected) return;
    const isShown = element.classList.contains('open');
    if (this.#isOpen && !isShown) this.#show(element);
    if (!this.#isOpen && isShown) this.#hide(element);
    if (this.#isOpen) this.#place();
  }

  hostDisconnected(): void {
    // The browser hides a popover that leaves the document.
    this.#following.abort();
    this.#options.element()?.classList.remove('open');
    this.#isOpen = false;
  }

  #show(element: HTMLElement): void {
    // A browser without popovers (Firefox before 125) shows it where it stands.
    element.showPopover?.();
    element.classList.add('open');
    this.#following = new AbortController();
    const options = { capture: true, passive: true, signal: this.#following.signal };
    addEventListener('scroll', () => this.#place(), options);
    addEventListener('resize', () => this.#place(), options);
    visualViewport?.addEventListener('resize', () => this.#place(), options);
  }

  #hide(element: HTMLElement): void {
    element.hidePopover?.();
    element.classList.remove('open');
    this.#following.abort();
  }

  #place(): void {
    const element = this.#options.element();
    const anchor = this.#options.anchor();
    if (!element || !anchor) return;
    const { style } = element;
    const windowWidth = document.documentElement.clientWidth;
    const windowHeight = visualViewport?.height ?? innerHeight;
    style.width = anchor.width < MIN_WIDTH ? '' : `${anchor.width}px`;
    const below = windowHeight - anchor.bottom - 2 * GAP;
    const above = anchor.top - 2 * GAP;
    const isAbove = below < ENOUGH_ROOM && above > below;
    style.maxHeight = `${Math.max(64, isAbove ? above : below)}px`;
    style.top = isAbove ? 'auto' : `${anchor.bottom + GAP}px`;
    style.bottom = isAbove ? `${innerHeight - anchor.top + GAP}px` : 'auto';
    const width = element.offsetWidth;
    const start =
      getComputedStyle(element).direction === 'rtl' ? anchor.right - width : anchor.left;
    style.left = `${Math.max(GAP, Math.min(start, windowWidth - width - GAP))}px`;
  }
}

/** The styles that a popup needs. */
export const popupStyles = css`
  .popup {
    position: fixed;
    z-index: 1;
    display: none;
    inset: auto;
    inline-size: 24rem;
    max-inline-size: calc(100vw - 8px);
    margin: 0;
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
`;

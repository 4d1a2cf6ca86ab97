import { html, render, type LitElement } from 'lit';

/** How an app is shown. */
export type AppDisplayMode = 'inline' | 'fullscreen' | 'pip';

/**
 * How long an app may not leave its place again after the user has put it back, in milliseconds: longer
 * than that click counts as an act of the user.
 */
const BACK_MS = 6_000;

interface Host extends LitElement {
  displayMode: AppDisplayMode;
  displayModes: readonly AppDisplayMode[];
}

/** Where an app is shown, and who may change that. */
export class DisplayMode {
  readonly #host: Host;
  /** When the user has last put an app back in its place. */
  #backMs = -Infinity;
  /** Whether this app was elsewhere and is back: only the user lets it go again. */
  #wasAway = false;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Another app may leave its place once by itself. */
  forget(): void {
    this.#wasAway = false;
  }

  #set(mode: AppDisplayMode): AppDisplayMode {
    if (this.#host.displayModes.includes(mode)) this.#host.displayMode = mode;
    return this.#host.displayMode;
  }

  setByUser(mode: AppDisplayMode): void {
    if (mode === 'inline') this.#backMs = performance.now();
    this.#set(mode);
  }

  /** An app that leaves its place again and again would hold the page: it needs the user for the next time. */
  setByApp(mode: AppDisplayMode): AppDisplayMode {
    // Firefox before 120 does not know it.
    const { userActivation } = navigator as Partial<Navigator>;
    const isUsers =
      userActivation?.isActive !== false && performance.now() - this.#backMs > BACK_MS;
    if (mode !== 'inline' && this.#wasAway && !isUsers) return this.#host.displayMode;
    return this.#set(mode);
  }

  /** In the top layer of the page, so that no ancestor clips or moves it; the frame stays in its place. */
  show(): void {
    const app = this.#host.renderRoot.querySelector<HTMLElement>('.app');
    const { displayMode } = this.#host;
    if (!app?.isConnected) return;
    if (displayMode !== 'inline') this.#wasAway = true;
    if (displayMode === 'pip' && !app.matches(':popover-open')) app.showPopover();
    const modal = app.parentElement!.shadowRoot?.querySelector('dialog');
    if (displayMode !== 'fullscreen') modal?.close();
    else if (!modal?.open) (modal ?? this.#makeModal(app)).showModal();
  }

  /**
   * A modal dialog, so that the page behind it is inert. A frame that moves in the document loads anew, so
   * the app stays where it is, and only its slot changes.
   */
  #makeModal(app: HTMLElement): HTMLDialogElement {
    const root = app.parentElement!.attachShadow({ mode: 'open' });
    const onclose = (): void => {
      // By the browser, such as with the key that goes back.
      if (this.#host.displayMode === 'fullscreen') this.setByUser('inline');
    };
    const title = app.querySelector('#title')?.textContent;
    render(
      html`<slot></slot>
        <dialog part="modal" aria-label=${title} @close=${onclose}>
          <slot name="modal"></slot>
        </dialog>`,
      root,
    );
    return root.querySelector('dialog')!;
  }
}

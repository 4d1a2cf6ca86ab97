import { html, render, type LitElement } from 'lit';

/** The place where an app is shown. */
export type AppDisplayMode = 'inline' | 'fullscreen' | 'pip';

/**
 * The time for which an app may not leave its place again after the user has put it back, in milliseconds. It
 * is longer than the time for which the browser counts that click as an act of the user.
 */
const BACK_MS = 6_000;

interface Host extends LitElement {
  displayMode: AppDisplayMode;
  displayModes: readonly AppDisplayMode[];
}

/** The place of an app in the page. It enforces the rules for changes of the place. */
export class DisplayMode {
  readonly #host: Host;
  /** The time when the user last put an app back in its place. */
  #backMs = -Infinity;
  /** Whether this app has left its place before. It can then leave it again only by an act of the user. */
  #wasAway = false;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Resets the rules for another app, which may again leave its place once without the user. */
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

  /**
   * Sets the mode that the app requests. An app that left its place again and again would block the page, so
   * the second time requires an act of the user.
   */
  setByApp(mode: AppDisplayMode): AppDisplayMode {
    // Firefox before 120 does not have this property.
    const { userActivation } = navigator as Partial<Navigator>;
    const isUsers =
      userActivation?.isActive !== false && performance.now() - this.#backMs > BACK_MS;
    if (mode !== 'inline' && this.#wasAway && !isUsers) return this.#host.displayMode;
    return this.#set(mode);
  }

  /**
   * Shows the app in its mode. Other modes than `inline` use the top layer of the page, so that no ancestor
   * clips or moves the app; the frame stays in its place.
   */
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
   * Makes a modal dialog, so that the page behind it is inert. A frame that moves in the document loads
   * again, so the app stays in its place, and only its slot changes.
   */
  #makeModal(app: HTMLElement): HTMLDialogElement {
    const root = app.parentElement!.attachShadow({ mode: 'open' });
    const onclose = (): void => {
      // The browser has closed it, for example after the key that goes back.
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

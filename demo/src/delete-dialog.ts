import { css, html, LitElement, type TemplateResult } from 'lit';
import { sharedStyles } from './shared-styles.js';
import { shortened } from './upload-notices.js';

/**
 * Asks whether one note or file is to be deleted.
 *
 * @slot - What else the user should see while it is open: all outside of it is inert then.
 * @fires opened
 * @fires closed
 */
export class DeleteDialog extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      dialog {
        max-inline-size: min(26rem, calc(100vw - 2rem));
        padding: 1.25rem;
        border: 1px solid var(--line);
        border-radius: 14px;
        background: var(--surface);
        color: var(--text);
        box-shadow: 0 12px 48px rgb(0 0 0 / 30%);
      }

      dialog::backdrop {
        background: rgb(0 0 0 / 45%);
      }

      p {
        margin: 0 0 1.1rem;
        overflow-wrap: anywhere;
      }

      /* In the flow of the dialog, so as not to cover its buttons. */
      ::slotted(*) {
        position: static;
      }

      form {
        display: flex;
        justify-content: flex-end;
        gap: 0.5rem;
      }
    `,
  ];

  /** What it asks about. */
  #title = '';
  #answer: ((isYes: boolean) => void) | undefined;

  /** Resolves with whether the user wants it deleted. */
  async ask(title: string): Promise<boolean> {
    // Where it has closed and the browser has not said so yet.
    this.#settle();
    this.#title = title;
    this.requestUpdate();
    this.#dialog.returnValue = '';
    this.#dialog.showModal();
    this.dispatchEvent(new Event('opened'));
    return await new Promise((resolve) => (this.#answer = resolve));
  }

  protected override render(): TemplateResult {
    return html`<dialog aria-label="Delete" @close=${this.#onClose}>
      <p>Delete “${shortened(this.#title)}”? This cannot be undone.</p>
      <form method="dialog">
        <button value="cancel" autofocus>Cancel</button>
        <button class="deadly" value="delete">Delete</button>
      </form>
      <slot></slot>
    </dialog>`;
  }

  /** The event comes later than the closing: the dialog may be open again, with another question. */
  #onClose(): void {
    if (!this.#dialog.open) this.#settle();
  }

  #settle(): void {
    if (!this.#answer) return;
    this.#answer(this.#dialog.returnValue === 'delete');
    this.#answer = undefined;
    this.dispatchEvent(new Event('closed'));
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }
}

customElements.define('delete-dialog', DeleteDialog);

declare global {
  interface HTMLElementTagNameMap {
    'delete-dialog': DeleteDialog;
  }
}

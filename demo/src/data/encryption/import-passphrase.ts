import { html, LitElement, type TemplateResult } from 'lit';
import { sharedStyles } from '../../shell/shared-styles.js';
import { truncateText } from '@inpage-mcp/elements/classes';
import { styles } from './passphrase.styles.js';

/**
 * Asks for the passphrase of a file.
 *
 * @fires unlock - The user has typed it; see `passphrase`.
 * @fires give-up
 */
export class ImportPassphrase extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  static override readonly properties = {
    name: { attribute: false },
  };

  /** Of the file. */
  declare name: string;

  #isShown = false;

  /** What was typed. */
  get passphrase(): string {
    return this.#field.value;
  }

  override focus(): void {
    this.#field.focus();
    this.#field.select();
  }

  protected override firstUpdated(): void {
    this.focus();
  }

  protected override render(): TemplateResult {
    return html`<form @submit=${this.#onSubmit}>
      <p>“${truncateText(this.name, 80)}” is encrypted.</p>
      <label>
        Its passphrase
        <input
          name="passphrase"
          type=${this.#isShown ? 'text' : 'password'}
          autocomplete="current-password"
          required
        />
      </label>
      <label class="check">
        <input type="checkbox" .checked=${this.#isShown} @change=${this.#onShow} /> Show it
      </label>
      <div class="buttons">
        <button class="primary">Open and import</button>
        <button type="button" @click=${() => this.dispatchEvent(new Event('give-up'))}>
          Not now
        </button>
      </div>
    </form>`;
  }

  #onSubmit(event: Event): void {
    event.preventDefault();
    this.dispatchEvent(new Event('unlock'));
  }

  #onShow(event: Event): void {
    this.#isShown = (event.target as HTMLInputElement).checked;
    this.requestUpdate();
  }

  get #field(): HTMLInputElement {
    return this.renderRoot.querySelector('input[name=passphrase]')!;
  }
}

customElements.define('import-passphrase', ImportPassphrase);

declare global {
  interface HTMLElementTagNameMap {
    'import-passphrase': ImportPassphrase;
  }
}

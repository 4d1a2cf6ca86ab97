import { truncateText } from '@inpage-mcp/elements/classes';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { sharedStyles } from '../../shell/shared-styles.js';

const styles = css`
  form,
  .choice {
    display: grid;
    gap: 0.6rem;
    margin-block-start: 0.6rem;
    font-size: 0.875rem;
  }

  p {
    margin: 0;
  }

  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
`;

/** In characters as people count them: fewer are tried out in hours. */
const MIN_LENGTH = 12;
const MAX_LENGTH = 1_000;

/** Lets the user protect an export with a passphrase, or not. */
export class ExportPassphrase extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  #isWanted = false;
  #isShown = false;
  #problem = '';

  /**
   * What was typed; '' where nothing is wanted. undefined where it is not valid: the form then
   * says why, and the field has the focus.
   */
  take(): string | undefined {
    if (!this.#isWanted) return '';
    const { value } = this.#field('passphrase')!;
    const length = Array.from(value.normalize('NFC')).length;
    const repeated = this.#field('repeated')?.value ?? value;
    this.#problem = '';
    if (length < MIN_LENGTH) {
      this.#refuse(
        `At least ${MIN_LENGTH} characters: four or five words picked at random are good.`,
      );
    } else if (length > MAX_LENGTH) {
      this.#refuse(`At most ${MAX_LENGTH.toLocaleString('en')} characters.`);
    } else if (repeated !== value) {
      this.#refuse('The two are not the same.', 'repeated');
    }
    return this.#problem === '' ? value : undefined;
  }

  /** Forgets what was typed. */
  forget(): void {
    this.#isWanted = false;
    this.#isShown = false;
    this.#problem = '';
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`<div class="choice">
      <label class="check">
        <input
          type="checkbox"
          .checked=${this.#isWanted}
          @change=${(event: Event) => this.#set({ isWanted: isChecked(event) })}
        />
        Protect it with a passphrase
      </label>
      ${this.#isWanted ? this.#renderFields() : nothing}
    </div>`;
  }

  #renderFields(): TemplateResult {
    const type = this.#isShown ? 'text' : 'password';
    return html`
      <label>
        Passphrase
        <input
          name="passphrase"
          type=${type}
          autocomplete="new-password"
          aria-describedby="problem warning"
        />
      </label>
      ${
        this.#isShown
          ? nothing
          : html`<label>
              The same again
              <input name="repeated" type="password" autocomplete="new-password" />
            </label>`
      }
      <label class="check">
        <input
          type="checkbox"
          .checked=${this.#isShown}
          @change=${(event: Event) => this.#set({ isShown: isChecked(event) })}
        />
        Show it
      </label>
      <p id="problem" class="problem" role="alert">${this.#problem}</p>
      <p id="warning" class="muted">
        Without it nobody can open the export: if you lose it, it cannot be recovered. Programs for
        age files can open it, too.
      </p>
    `;
  }

  #set({ isWanted = this.#isWanted, isShown = this.#isShown }): void {
    this.#isWanted = isWanted;
    this.#isShown = isShown;
    this.#problem = '';
    this.requestUpdate();
  }

  #refuse(problem: string, name = 'passphrase'): void {
    this.#problem = problem;
    this.#field(name)!.focus();
    this.requestUpdate();
  }

  #field(name: string): HTMLInputElement | null {
    return this.renderRoot.querySelector(`input[name=${name}]`);
  }
}

const isChecked = (event: Event): boolean => (event.target as HTMLInputElement).checked;

customElements.define('export-passphrase', ExportPassphrase);

declare global {
  interface HTMLElementTagNameMap {
    'export-passphrase': ExportPassphrase;
  }
}

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

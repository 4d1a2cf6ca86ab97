import { truncateText } from '@inpage-mcp/elements/classes';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { sharedStyles } from '../shell/shared-styles.js';

/** In characters as people count them: fewer are tried out in hours. */
const MIN_LENGTH = 12;
const MAX_LENGTH = 1_000;

/** The fields of a passphrase, which can be shown while it is typed. */
abstract class PassphraseForm extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      form {
        display: grid;
        gap: 0.6rem;
        margin-block-start: 0.6rem;
        font-size: 0.875rem;
      }

      .problem:empty {
        margin-block-end: -0.6rem;
      }
    `,
  ];

  protected isShown = false;

  protected renderField(
    name: string,
    label: string,
    autocomplete: 'new-password' | 'current-password',
  ): TemplateResult {
    return html`<label>
      ${label}
      <input
        name=${name}
        type=${this.isShown ? 'text' : 'password'}
        autocomplete=${autocomplete}
        aria-describedby=${autocomplete === 'new-password' ? 'problem warning' : nothing}
        required
      />
    </label>`;
  }

  protected renderCheck(
    label: string,
    isChecked: boolean,
    onChange: (isChecked: boolean) => void,
  ): TemplateResult {
    const change = ({ target }: Event): void => {
      onChange((target as HTMLInputElement).checked);
      this.requestUpdate();
    };
    return html`<label class="check">
      <input type="checkbox" .checked=${isChecked} @change=${change} /> ${label}
    </label>`;
  }

  protected field(name: string): HTMLInputElement | null {
    return this.renderRoot.querySelector(`input[name=${name}]`);
  }
}

function problemWith(length: number, isSame: boolean): string {
  if (length < MIN_LENGTH)
    return `At least ${MIN_LENGTH} characters: four or five words picked at random are good.`;
  if (length > MAX_LENGTH) return `At most ${MAX_LENGTH.toLocaleString('en')} characters.`;
  return isSame ? '' : 'The two are not the same.';
}

/** Lets the user protect an export with a passphrase, or not. */
export class ExportPassphrase extends PassphraseForm {
  #isWanted = false;
  #problem = '';

  /**
   * What was typed; '' where nothing is wanted. undefined where it is not valid: the form then
   * says why, and the field has the focus.
   */
  take(): string | undefined {
    if (!this.#isWanted) return '';
    const { value } = this.field('passphrase')!;
    const length = Array.from(value.normalize('NFC')).length;
    const isSame = (this.field('repeated')?.value ?? value) === value;
    this.#problem = problemWith(length, isSame);
    this.requestUpdate();
    if (this.#problem === '') return value;
    this.field(isSame ? 'passphrase' : 'repeated')!.focus();
    return undefined;
  }

  /** Forgets what was typed. */
  forget(): void {
    this.#isWanted = this.isShown = false;
    this.#problem = '';
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const change = (isWanted: boolean): void => {
      this.#isWanted = isWanted;
      this.#problem = '';
    };
    return html`<form @submit=${(event: Event) => event.preventDefault()}>
      ${this.renderCheck('Protect it with a passphrase', this.#isWanted, change)}
      ${this.#isWanted ? this.#renderFields() : nothing}
    </form>`;
  }

  #renderFields(): TemplateResult {
    const show = (isShown: boolean): void => {
      this.isShown = isShown;
      this.#problem = '';
    };
    return html`
      ${this.renderField('passphrase', 'Passphrase', 'new-password')}
      ${this.isShown ? nothing : this.renderField('repeated', 'The same again', 'new-password')}
      ${this.renderCheck('Show it', this.isShown, show)}
      <p id="problem" class="problem" role="alert">${this.#problem}</p>
      <p id="warning" class="muted">
        Without it nobody can open the export: if you lose it, it cannot be recovered. Programs for
        age files can open it, too.
      </p>
    `;
  }
}

/**
 * Asks for the passphrase of a file.
 *
 * @fires unlock - The user has typed it; see `passphrase`.
 * @fires give-up
 */
export class ImportPassphrase extends PassphraseForm {
  static override readonly properties = { name: { attribute: false } };

  /** Of the file. */
  declare name: string;

  /** What was typed. */
  get passphrase(): string {
    return this.field('passphrase')!.value;
  }

  override focus(): void {
    this.field('passphrase')!.focus();
    this.field('passphrase')!.select();
  }

  protected override firstUpdated(): void {
    this.focus();
  }

  protected override render(): TemplateResult {
    return html`<form @submit=${this.#onSubmit}>
      <p>“${truncateText(this.name, 80)}” is encrypted.</p>
      ${this.renderField('passphrase', 'Its passphrase', 'current-password')}
      ${this.renderCheck('Show it', this.isShown, (isShown) => (this.isShown = isShown))}
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
}

customElements.define('export-passphrase', ExportPassphrase);
customElements.define('import-passphrase', ImportPassphrase);

declare global {
  interface HTMLElementTagNameMap {
    'export-passphrase': ExportPassphrase;
    'import-passphrase': ImportPassphrase;
  }
}

import { msg, str } from '@lit/localize';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import { icon, warningIcon } from '../../base/look/icons.js';
import { formatNumber } from '../../base/text/format.js';

/** The minimum length of a new passphrase. A shorter one can be guessed in hours. */
const MIN_LENGTH = 12;

/** The names of the fields. */
type Field = 'passphrase' | 'repeated' | 'unlocking';

/** The fields for passphrases, and their problems. A passphrase is only in its field. */
export class Passphrases {
  readonly #host: LitElement;
  readonly #names: readonly Field[];
  #problem: { field: Field; text: string } | undefined;

  /** @param names The names of its fields. */
  constructor(host: LitElement, names: readonly Field[]) {
    this.#host = host;
    this.#names = names;
  }

  /** Forgets the typed texts and their problems. */
  clear(): void {
    this.#problem = undefined;
    for (const name of this.#names) {
      const field = this.#field(name);
      if (field) field.value = '';
    }
    this.#host.requestUpdate();
  }

  /** The two fields of a new passphrase. */
  renderNew(): TemplateResult {
    return html`${this.#render('passphrase', msg('Passphrase', { id: 'mcp.storage.passphrase' }), 'new-password')}
    ${this.#render('repeated', msg('The same again', { id: 'mcp.storage.repeated' }), 'new-password')}`;
  }

  /** The field for the passphrase of a file. */
  renderOfFile(): TemplateResult {
    const label = msg('Its passphrase', { id: 'mcp.storage.its-passphrase' });
    return this.#render('unlocking', label, 'current-password');
  }

  /** Reads a new passphrase; `undefined` if it is not valid, in which case the fields show the reason. */
  readNew(): string | undefined {
    const passphrase = this.#field('passphrase')?.value ?? '';
    const least = formatNumber(MIN_LENGTH);
    this.#problem = undefined;
    if (Array.from(passphrase.normalize('NFC')).length < MIN_LENGTH) {
      const text = msg(
        str`At least ${least} characters: four or five words picked at random are good.`,
        { id: 'mcp.storage.short' },
      );
      this.#problem = { field: 'passphrase', text };
    } else if (this.#field('repeated')?.value !== passphrase) {
      const text = msg('The two are not the same.', { id: 'mcp.storage.not-same' });
      this.#problem = { field: 'repeated', text };
    }
    this.#host.requestUpdate();
    return this.#problem ? undefined : passphrase;
  }

  /** Reads the passphrase of a file; `undefined` if the field is empty. */
  readOfFile(): string | undefined {
    const value = this.#field('unlocking')?.value;
    const text = msg('Enter a value.', { id: 'mcp.field.required' });
    this.#problem = value ? undefined : { field: 'unlocking', text };
    this.#host.requestUpdate();
    return value || undefined;
  }

  #render(field: Field, label: string, autocomplete: AutoFill): TemplateResult {
    const problem = this.#problem?.field === field ? this.#problem.text : undefined;
    return html`<div class="field">
      <label for=${field}><span class="title">${label}</span></label>
      <input
        id=${field}
        name=${field}
        type="password"
        autocomplete=${autocomplete}
        aria-required="true"
        aria-invalid=${problem !== undefined}
        aria-describedby=${problem === undefined ? nothing : `${field}-problem`}
      />
      ${
        problem === undefined
          ? nothing
          : html`<p class="problem" id="${field}-problem" role="alert">
              ${icon(warningIcon)} ${problem}
            </p>`
      }
    </div>`;
  }

  #field(name: Field): HTMLInputElement | null {
    return this.#host.renderRoot.querySelector(`input[name=${name}]`);
  }
}

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { hostOf, type ModelSettings, type ModelWire } from '../../model/model-settings.js';
import { dialogStyles } from '../../shell/dialog.styles.js';
import { sharedStyles } from '../../shell/shared-styles.js';
import { styles } from './model-dialog.styles.js';
import {
  checkEntry,
  isReadable,
  USUAL_ENDPOINTS,
  type ModelEntry,
  forgetModel,
  rememberedModel,
  rememberModel,
} from './model-entry.js';

const WIRES: readonly (readonly [ModelWire, string])[] = [
  ['openai', 'OpenAI-compatible (Ollama, llama.cpp, a gateway)'],
  ['anthropic', 'Anthropic'],
  ['built-in', 'The model of this browser'],
];

/** Asks which model is to answer, and where it is. What was entered is in memory, unless asked otherwise. */
export class ModelDialog extends LitElement {
  static override readonly styles = [sharedStyles, dialogStyles, styles];

  #entry: ModelEntry = {
    wire: 'openai',
    endpoint: USUAL_ENDPOINTS.openai,
    model: '',
    key: '',
  };
  #remember = false;
  #problem = '';
  #answer: ((settings: ModelSettings | undefined) => void) | undefined;
  #chosen: ModelSettings | undefined;

  /**
   * Resolves to undefined if the user wants none.
   *
   * @param current What is chosen now.
   */
  async ask(current: ModelSettings | undefined): Promise<ModelSettings | undefined> {
    const remembered = rememberedModel();
    this.#entry = current ?? remembered ?? this.#entry;
    this.#remember = remembered !== undefined;
    this.#problem = '';
    this.#chosen = undefined;
    this.requestUpdate();
    await this.updateComplete;
    this.#dialog.showModal();
    return await new Promise((resolve) => (this.#answer = resolve));
  }

  protected override render(): TemplateResult {
    const { wire } = this.#entry;
    return html`<dialog aria-labelledby="title" @close=${this.#onClose}>
      <h2 id="title">Use a real model</h2>
      <div class="fields">
        <label
          >Kind
          <select name="wire" .value=${wire} @change=${this.#onWire}>
            ${WIRES.filter(([value]) => value !== 'built-in' || 'LanguageModel' in globalThis).map(
              ([value, words]) =>
                html`<option value=${value} ?selected=${value === wire}>${words}</option>`,
            )}
          </select>
        </label>
        ${wire === 'built-in' ? nothing : this.#renderEndpoint()}
      </div>
      <p class="warning">${this.#warning()}</p>
      ${this.#problem ? html`<p class="problem" role="alert">${this.#problem}</p>` : nothing}
      <div class="answers">
        ${
          rememberedModel()
            ? html`<button class="danger" @click=${this.#forget}>Forget the key</button>`
            : nothing
        }
        <button @click=${() => this.#dialog.close()}>Cancel</button>
        <button class="primary" @click=${this.#use}>Use this model</button>
      </div>
    </dialog>`;
  }

  #renderEndpoint(): TemplateResult {
    const { endpoint, model, key } = this.#entry;
    return html`
      <label
        >Address
        <input
          name="endpoint"
          type="url"
          autocomplete="off"
          .value=${endpoint}
          @input=${this.#onInput}
        />
      </label>
      <label
        >Model
        <input
          name="model"
          autocomplete="off"
          spellcheck="false"
          .value=${model}
          @input=${this.#onInput}
        />
      </label>
      <label
        >Key, if it needs one
        <input
          name="key"
          type="password"
          autocomplete="off"
          .value=${key}
          @input=${this.#onInput}
        />
      </label>
      <label class="check">
        <input
          name="remember"
          type="checkbox"
          .checked=${this.#remember}
          @change=${this.#onRemember}
        />
        Remember the key in this browser
      </label>
      <p class="muted">
        Without this, the key is kept in memory until this tab is closed or loaded again.
      </p>
    `;
  }

  /** Where the words of the user go, before any of them does. */
  #warning(): TemplateResult {
    if (this.#entry.wire === 'built-in')
      return html`What the assistant reads stays in this browser. Its model gets the notes that you
      choose, and calls no tools.`;
    const host = URL.canParse(this.#entry.endpoint) ? hostOf(this.#entry) : '';
    return html`What the assistant reads, and what you ask it, will be sent to
      <strong>${host || 'this address'}</strong>. Nothing is sent before you let it
      in.${
        isReadable(this.#entry.endpoint)
          ? ' The address is not encrypted: others on the way can read all of it, and the key.'
          : ''
      }`;
  }

  #onWire(event: Event): void {
    const wire = (event.target as HTMLSelectElement).value as ModelWire;
    this.#change({ ...this.#entry, wire, endpoint: USUAL_ENDPOINTS[wire], model: '', key: '' });
  }

  #onInput(event: Event): void {
    const { name, value } = event.target as HTMLInputElement;
    this.#change({ ...this.#entry, [name]: value });
  }

  #onRemember(event: Event): void {
    this.#remember = (event.target as HTMLInputElement).checked;
  }

  #change(entry: ModelEntry): void {
    this.#entry = entry;
    this.#problem = '';
    this.requestUpdate();
  }

  #forget(): void {
    forgetModel();
    this.#remember = false;
    this.#change({ ...this.#entry, key: '' });
  }

  #use(): void {
    try {
      this.#chosen = checkEntry(this.#entry);
    } catch (error) {
      this.#problem = (error as Error).message;
      this.requestUpdate();
      return;
    }
    if (!this.#remember) forgetModel();
    else if (!rememberModel(this.#chosen)) {
      this.#problem = 'This browser remembers nothing for this page. Untick it to go on.';
      this.requestUpdate();
      return;
    }
    this.#dialog.close();
  }

  #onClose(): void {
    this.#answer?.(this.#chosen);
    this.#answer = undefined;
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }
}

customElements.define('model-dialog', ModelDialog);

let shown: ModelDialog | undefined;

/** The dialog, which is in the page from the first question on. */
export function modelDialog(): ModelDialog {
  if (!shown) {
    shown = new ModelDialog();
    document.body.append(shown);
  }
  return shown;
}

import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { hostOf, type ModelSettings, type ModelWire } from '../../model/model-settings.js';
import { dialogStyles } from '../../shell/dialog.styles.js';
import { sharedStyles } from '../../shell/shared-styles.js';
import { forget, recall, remember } from '../../session/remembered.js';

/** Where most of the users of each wire are. */
const USUAL_ENDPOINTS: { [wire in ModelWire]: string } = {
  openai: 'http://localhost:11434/v1',
  anthropic: 'https://api.anthropic.com/v1',
  'built-in': '',
};

const WIRES: { [wire in ModelWire]: string } = {
  openai: 'OpenAI-compatible (Ollama, llama.cpp, a gateway)',
  anthropic: 'Anthropic',
  'built-in': 'The model of this browser',
};

const emptyEntry = (wire: ModelWire): ModelSettings => ({
  wire,
  endpoint: USUAL_ENDPOINTS[wire],
  model: '',
  key: '',
});

/** Asks which model is to answer, and where it is. What was entered is in memory, unless asked otherwise. */
export class ModelDialog extends LitElement {
  static override readonly styles = [
    sharedStyles,
    dialogStyles,
    css`
      dialog {
        inline-size: min(32rem, calc(100vw - 1.5rem));
      }

      form {
        display: grid;
        gap: 0.8rem;
        padding: 1.25rem;
        font-size: 0.875rem;
        overflow-wrap: anywhere;
      }

      .muted {
        font-size: 0.8125rem;
      }

      .warning {
        padding: 0.6rem 0.8rem;
        border: 1px solid var(--warning-line);
        border-radius: 8px;
        background: var(--_updated);
      }
    `,
  ];

  /** As it stands in the fields. */
  #entry = emptyEntry('openai');
  #isRemembered = false;
  #problem = '';
  #answer: ((settings: ModelSettings | undefined) => void) | undefined;

  /**
   * Resolves to undefined if the user wants none.
   *
   * @param current What is chosen now.
   */
  async ask(current: ModelSettings | undefined): Promise<ModelSettings | undefined> {
    const remembered = rememberedModel();
    this.#isRemembered = remembered !== undefined;
    this.#change(current ?? remembered ?? this.#entry);
    await this.updateComplete;
    this.#dialog.showModal();
    return await new Promise((resolve) => (this.#answer = resolve));
  }

  protected override render(): TemplateResult {
    const { wire } = this.#entry;
    const wires = Object.entries(WIRES).filter(
      ([value]) => value !== 'built-in' || 'LanguageModel' in globalThis,
    );
    return html`<dialog aria-labelledby="title" @close=${() => this.#answer?.(undefined)}>
      <form novalidate @input=${this.#onInput} @submit=${this.#onSubmit}>
        <h2 id="title">Use a real model</h2>
        <label
          >Kind
          <select name="wire" .value=${wire}>
            ${wires.map(
              ([value, words]) =>
                html`<option value=${value} ?selected=${value === wire}>${words}</option>`,
            )}
          </select>
        </label>
        ${wire === 'built-in' ? nothing : this.#renderEndpoint()}
        <p class="warning">${this.#warning()}</p>
        ${this.#problem ? html`<p class="problem" role="alert">${this.#problem}</p>` : nothing}
        <div class="answers">
          ${
            rememberedModel()
              ? html`<button type="button" class="danger" @click=${this.#forget}>
                  Forget the key
                </button>`
              : nothing
          }
          <button type="button" @click=${() => this.#dialog.close()}>Cancel</button>
          <button class="primary">Use this model</button>
        </div>
      </form>
    </dialog>`;
  }

  #renderEndpoint(): TemplateResult {
    return html`
      ${this.#renderField('endpoint', 'Address', 'url')}
      ${this.#renderField('model', 'Model', 'text')}
      ${this.#renderField('key', 'Key, if it needs one', 'password')}
      <label class="check">
        <input name="remember" type="checkbox" .checked=${this.#isRemembered} />
        Remember the key in this browser
      </label>
      <p class="muted">
        Without this, the key is kept in memory until this tab is closed or loaded again.
      </p>
    `;
  }

  #renderField(
    name: 'endpoint' | 'model' | 'key',
    label: string,
    type: 'url' | 'text' | 'password',
  ): TemplateResult {
    return html`<label
      >${label}
      <input
        name=${name}
        type=${type}
        autocomplete="off"
        spellcheck="false"
        .value=${this.#entry[name]}
      />
    </label>`;
  }

  /** Where the words of the user go, before any of them does. */
  #warning(): TemplateResult {
    const { wire, endpoint } = this.#entry;
    if (wire === 'built-in')
      return html`What the assistant reads stays in this browser. Its model gets the notes that you
      choose, and calls no tools.`;
    const host = URL.canParse(endpoint) ? hostOf(this.#entry) : '';
    const danger =
      ' The address is not encrypted: others on the way can read all of it, and the key.';
    return html`What the assistant reads, and what you ask it, will be sent to
      <strong>${host || 'this address'}</strong>. Nothing is sent before you let it
      in.${isReadable(endpoint) ? danger : ''}`;
  }

  #onInput({ currentTarget }: Event): void {
    const data = new FormData(currentTarget as HTMLFormElement);
    const text = (name: string): string => (data.get(name) as string | null) ?? '';
    const wire = text('wire') as ModelWire;
    this.#isRemembered = data.has('remember');
    const isOther = wire !== this.#entry.wire;
    const fields = { endpoint: text('endpoint'), model: text('model'), key: text('key') };
    this.#change(isOther ? emptyEntry(wire) : { wire, ...fields });
  }

  #change(entry: ModelSettings, problem = ''): void {
    this.#entry = entry;
    this.#problem = problem;
    this.requestUpdate();
  }

  #forget(): void {
    forgetModel();
    this.#isRemembered = false;
    this.#change({ ...this.#entry, key: '' });
  }

  #onSubmit(event: Event): void {
    event.preventDefault();
    try {
      const settings = checkEntry(this.#entry);
      if (!this.#isRemembered) forgetModel();
      else if (!rememberModel(settings))
        throw new Error('This browser remembers nothing for this page. Untick it to go on.');
      this.#answer?.(settings);
      this.#dialog.close();
    } catch (error) {
      this.#change(this.#entry, (error as Error).message);
    }
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

/**
 * The settings that were entered.
 *
 * @throws {Error} with words for the user.
 */
function checkEntry({ wire, endpoint, model, key }: ModelSettings): ModelSettings {
  if (wire === 'built-in') return { wire, endpoint: '', model: '', key: '' };
  const name = model.trim();
  const address = checkEndpoint(endpoint);
  if (name === '') throw new Error('Which model? Enter its name, as the endpoint knows it.');
  return { wire, endpoint: address, model: name, key: key.trim() };
}

/** @throws {Error} */
function checkEndpoint(endpoint: string): string {
  const url = URL.parse(endpoint.trim());
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('The address begins with https:// or http://, as http://localhost:11434/v1.');
  if (url.username || url.password || url.search || url.hash)
    throw new Error(
      'The address has no name, password, “?” or “#”: enter the key in its own field.',
    );
  // Both are often copied with what the library adds itself.
  const path = url.pathname.replace(/\/(?:chat\/completions|messages)?\/*$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

/** Whether others on the way can read what is sent. */
function isReadable(endpoint: string): boolean {
  const url = URL.parse(endpoint.trim());
  return url?.protocol === 'http:' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
}

/** Only there if the user has asked for it: it holds the key. */
const STORAGE_KEY = 'inpage-mcp-demo-model';

/** The model that the user wanted to be remembered, with its key; undefined if there is none. */
function rememberedModel(): ModelSettings | undefined {
  try {
    const { wire, endpoint, model, key } = JSON.parse(recall(STORAGE_KEY) ?? '{}') as {
      [field: string]: unknown;
    };
    const texts = [wire, endpoint, model, key];
    if (!texts.every((one) => typeof one === 'string')) return undefined;
    return { wire, endpoint, model, key } as ModelSettings;
  } catch {
    return undefined;
  }
}

/** Returns whether it could be done. */
const rememberModel = (settings: ModelSettings): boolean =>
  remember(STORAGE_KEY, JSON.stringify(settings));

const forgetModel = (): void => forget(STORAGE_KEY);

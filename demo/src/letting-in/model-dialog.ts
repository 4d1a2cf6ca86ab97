import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { destinationOf, type ModelSettings, type ModelWire } from '../model/model-settings.js';
import { forget, recall, remember } from '../browser/remembered.js';
import { dialogStyles } from '../ui/dialog.styles.js';
import { sharedStyles } from '../ui/shared-styles.js';

/** The name of each wire, and the endpoint that most of its users have. */
const WIRES: { [wire in ModelWire]: [words: string, endpoint: string] } = {
  openai: ['OpenAI-compatible (Ollama, llama.cpp, a gateway)', 'http://localhost:11434/v1'],
  anthropic: ['Anthropic', 'https://api.anthropic.com/v1'],
};

const emptyEntry = (wire: ModelWire): ModelSettings => {
  const [, endpoint] = WIRES[wire];
  return { wire, endpoint, model: '', key: '' };
};

/**
 * The key of the stored model. It exists only if the user has asked for it, because it contains the API key.
 */
const STORAGE_KEY = 'inpage-mcp-demo-model';

/**
 * Asks for the model that is to answer, and its endpoint. The input stays in memory, unless the user wants it
 * to be stored.
 */
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

  /** The current content of the fields. */
  #entry = emptyEntry('openai');
  #isRemembered = false;
  #problem = '';
  #answer: ((settings: ModelSettings | undefined) => void) | undefined;

  /**
   * Asks for a model; resolves to undefined if the user wants none.
   *
   * @param current The current choice.
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
    return html`<dialog aria-labelledby="title" @close=${() => this.#answer?.(undefined)}>
      <form novalidate @input=${this.#onInput} @submit=${this.#onSubmit}>
        <h2 id="title">Use a real model</h2>
        <label
          >Kind
          <select name="wire">
            ${Object.entries(WIRES).map(
              ([wire, [words]]) =>
                html`<option value=${wire} ?selected=${wire === this.#entry.wire}>
                  ${words}
                </option>`,
            )}
          </select>
        </label>
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

  #renderField(name: 'endpoint' | 'model' | 'key', label: string, type: string): TemplateResult {
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

  /** Renders the host to which the user's text goes, before any of it is sent. */
  #warning(): TemplateResult {
    const { endpoint } = this.#entry;
    const host = URL.canParse(endpoint) ? destinationOf(this.#entry) : '';
    const danger =
      ' The address is not encrypted: others on the way can read all of it, and the key.';
    return html`What the assistant reads, and what you ask it, will be sent to
      <strong>${host || 'this address'}</strong>. Nothing is sent before you let it
      in.${isReadable(endpoint) ? danger : ''}`;
  }

  #onInput({ currentTarget }: Event): void {
    const data = new FormData(currentTarget as HTMLFormElement);
    const text = (name: string): string => data.get(name) as string;
    const wire = text('wire') as ModelWire;
    this.#isRemembered = data.has('remember');
    const fields = { endpoint: text('endpoint'), model: text('model'), key: text('key') };
    this.#change(wire === this.#entry.wire ? { wire, ...fields } : emptyEntry(wire));
  }

  #change(entry: ModelSettings, problem = ''): void {
    this.#entry = entry;
    this.#problem = problem;
    this.requestUpdate();
  }

  #forget(): void {
    forget(STORAGE_KEY);
    this.#isRemembered = false;
    this.#change({ ...this.#entry, key: '' });
  }

  #onSubmit(event: Event): void {
    event.preventDefault();
    const { wire, model, key } = this.#entry;
    const endpoint = endpointIn(this.#entry.endpoint);
    const settings = { wire, endpoint: endpoint ?? '', model: model.trim(), key: key.trim() };
    if (endpoint === undefined) return this.#change(this.#entry, WRONG_ADDRESS);
    if (settings.model === '')
      return this.#change(this.#entry, 'Which model? Enter its name, as the endpoint knows it.');
    if (!this.#isRemembered) forget(STORAGE_KEY);
    else if (!remember(STORAGE_KEY, JSON.stringify(settings)))
      return this.#change(
        this.#entry,
        'This browser remembers nothing for this page. Untick it to go on.',
      );
    this.#answer?.(settings);
    this.#dialog.close();
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }
}

customElements.define('model-dialog', ModelDialog);

let shown: ModelDialog | undefined;

/** The dialog, which is added to the page at the first question. */
export function modelDialog(): ModelDialog {
  if (!shown) document.body.append((shown = new ModelDialog()));
  return shown;
}

const WRONG_ADDRESS =
  'The address begins with https:// or http://, as http://localhost:11434/v1, and has no name, ' +
  'password, “?” or “#”: enter the key in its own field.';

/** The address of an endpoint, from the input; undefined if it is not valid. */
function endpointIn(entered: string): string | undefined {
  const url = URL.parse(entered.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username || url.password || url.search || url.hash) return undefined;
  // Users often copy both with the path that the library adds itself.
  const path = url.pathname.replace(/\/(?:chat\/completions|messages)?\/*$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

/** Whether others on the network can read the messages. */
function isReadable(endpoint: string): boolean {
  const url = URL.parse(endpoint.trim());
  return url?.protocol === 'http:' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
}

/** The model that the user wanted to be remembered, with its key; undefined without one. */
function rememberedModel(): ModelSettings | undefined {
  try {
    const { wire, endpoint, model, key } = JSON.parse(recall(STORAGE_KEY) ?? '{}');
    const isKnown = wire in WIRES && [endpoint, model, key].every((one) => typeof one === 'string');
    return isKnown ? { wire, endpoint, model, key } : undefined;
  } catch {
    return undefined;
  }
}

import { msg } from '@lit/localize';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import { icon, refreshIcon, warningIcon } from '../../base/look/icons.js';
import { codeOf } from '../../reading/gate.js';
import { problemInWords } from './words.js';

/** A command, by the form or the buttons that run it. */
export type CommandName = 'join' | 'unlock' | 'invite' | 'remove' | 'leave' | 'control';

/** The maximum time for an answer, in milliseconds: twice the timeout of the runtime's sync. */
const ANSWER_TIMEOUT_MS = 120_000;

/** The form of a command. */
export interface CommandForm<Value> {
  name: CommandName;
  words: string;
  /** The label of the field for a passphrase or code. Default: no such field. */
  secretLabel?: string;
  /** A further field, with the id `name`. Default: none. */
  more?: TemplateResult;
  /** The text of the button that submits. */
  submit: string;
  /** Runs the command, with the texts of the two fields. */
  command: (secret: string, name: string) => Promise<Value>;
  /** Called with the result, also after the timeout, because a recovery code is sent only once. */
  onsuccess: (value: Value) => void;
  /** Called when the user cancels. Default: the form cannot be cancelled. */
  oncancel?: () => void;
}

/**
 * The forms of commands. Runs one command at a time, and keeps its failure. A secret is only in its field: it
 * is never drawn, and it is cleared after its use.
 */
export class CommandForms {
  readonly #host: LitElement;
  readonly #onfail: (name: CommandName) => void;
  #running: { name: CommandName } | undefined;
  #failure: { name: CommandName; error: unknown } | undefined;
  #isRevealed = false;
  /** The session. Each sync has another one, so that the answers of an earlier sync are dropped. */
  #session = {};

  /** @param onfail Called after a form has failed. */
  constructor(host: LitElement, onfail: (name: CommandName) => void) {
    this.#host = host;
    this.#onfail = onfail;
  }

  /** The command that runs now. */
  get running(): CommandName | undefined {
    return this.#running?.name;
  }

  /** Forgets everything, because another sync was set. */
  reset(): void {
    this.#session = {};
    this.#running = undefined;
    this.clear();
  }

  /** Forgets the last failure and the text in the field for a secret. */
  clear(): void {
    this.#failure = undefined;
    this.#clearSecret();
  }

  /** Runs a command. Resolves when it has ended or failed, and never rejects. */
  async run<Value>(
    name: CommandName,
    command: () => Promise<Value> | Value,
    onsuccess: (value: Value) => void,
  ): Promise<void> {
    if (this.#running) return;
    const session = this.#session;
    const running = { name };
    this.#running = running;
    this.#failure = undefined;
    this.#host.requestUpdate();
    const answer = async (): Promise<void> => {
      const value = await command();
      if (session !== this.#session) return;
      this.#failure = undefined;
      onsuccess(value);
    };
    const failure = await withinLimit(answer()).then(
      () => undefined,
      (error: unknown) => ({ name, error }),
    );
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#failure = failure;
    this.#host.requestUpdate();
  }

  /** Renders a form with its texts, its fields, and the reason of its last failure. */
  render<Value>(form: CommandForm<Value>): TemplateResult {
    const { name, words, secretLabel, more, submit, oncancel } = form;
    const isRunning = this.running === name;
    const cancel = (): void => (this.#running ? undefined : oncancel?.());
    return html`<form
      part="form"
      class=${name}
      novalidate
      aria-busy=${isRunning}
      @submit=${(event: SubmitEvent) => void this.#submit(event, form)}
    >
      <p class="words" tabindex="-1">${words}</p>
      ${secretLabel === undefined ? nothing : this.#renderSecret(name, secretLabel)}
      ${this.renderProblem(name)} ${more}
      <div class="buttons">
        <button class="primary" aria-disabled=${this.#running !== undefined}>
          ${isRunning ? html`<span class="turning">${icon(refreshIcon)}</span>` : nothing} ${submit}
        </button>
        ${
          oncancel
            ? html`<button type="button" aria-disabled=${isRunning} @click=${cancel}>
                ${msg('Cancel', { id: 'mcp.drop.cancel' })}
              </button>`
            : nothing
        }
        <span class="muted" role="status">
          ${isRunning ? msg('One moment …', { id: 'mcp.sync.moment' }) : nothing}
        </span>
      </div>
    </form>`;
  }

  /** Renders the reason why a command has failed; nothing if it has not. */
  renderProblem(name: CommandName): TemplateResult | typeof nothing {
    if (this.#failure?.name !== name) return nothing;
    return html`<p class="problem" part="problem" id="problem" role="alert">
      ${icon(warningIcon)} <bdi>${problemInWords(this.#failure.error)}</bdi>
    </p>`;
  }

  #renderSecret(name: CommandName, label: string): TemplateResult {
    const isFailed = this.#failure?.name === name;
    const toggle = (): void => {
      this.#isRevealed = !this.#isRevealed;
      this.#host.requestUpdate();
    };
    return html`<div class="field">
      <label for="secret"><span class="title">${label}</span></label>
      <div class="secret">
        <input
          id="secret"
          type=${this.#isRevealed ? 'text' : 'password'}
          autocomplete="current-password"
          autocapitalize="none"
          spellcheck="false"
          aria-required="true"
          aria-invalid=${isFailed}
          aria-describedby=${isFailed ? 'problem' : nothing}
          ?readonly=${this.running === name}
        />
        <button type="button" aria-controls="secret" @click=${toggle}>
          ${
            this.#isRevealed
              ? msg('Hide', { id: 'mcp.sync.hide' })
              : msg('Show', { id: 'mcp.sync.show' })
          }
        </button>
      </div>
    </div>`;
  }

  async #submit<Value>(event: SubmitEvent, form: CommandForm<Value>): Promise<void> {
    event.preventDefault();
    if (this.#running) return;
    const session = this.#session;
    const { elements } = event.currentTarget as HTMLFormElement;
    const valueOf = (name: string): string | undefined =>
      (elements.namedItem(name) as HTMLInputElement | null)?.value;
    const [secret, name = ''] = [valueOf('secret'), valueOf('name')];
    if (secret === '') this.#failure = { name: form.name, error: { code: 'missing' } };
    else await this.run(form.name, () => form.command(secret ?? '', name), form.onsuccess);
    if (session !== this.#session) return;
    // If the passphrase was too short, no command has run, and the user makes it longer.
    if (codeOf(this.#failure?.error) !== 'weak-passphrase') this.#clearSecret();
    if (this.#failure?.name === form.name) this.#onfail(form.name);
  }

  #clearSecret(): void {
    const field = this.#host.renderRoot.querySelector<HTMLInputElement>('#secret');
    if (field) field.value = '';
    this.#isRevealed = false;
    this.#host.requestUpdate();
  }
}

async function withinLimit(answer: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('There is no answer.'), { code: 'no-answer' });
    timer = setTimeout(() => reject(error), ANSWER_TIMEOUT_MS);
  });
  await Promise.race([answer, limit]).finally(() => clearTimeout(timer));
}

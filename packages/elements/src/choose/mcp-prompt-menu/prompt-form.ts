import type { CompleteResult, GetPromptResult, McpClient, Prompt } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, type LitElement, type TemplateResult } from 'lit';
import { renderHeading } from '../../fields/catalog/render-catalog.js';
import {
  CompletedFields,
  missingIn,
  textIn,
  type CompletedField,
  type TypedValues,
} from '../../fields/options/completed-fields.js';
import { usableArguments } from '../../reading/gate.js';
import { PromptAnswer } from './prompt-answer.js';
import { titleOf } from './render-prompt.js';

/** What the form needs from the menu. */
export interface PromptFormOptions {
  /** The client; `undefined` if the connection has ended. */
  client: () => McpClient | undefined;
  /** The user goes back to the list. */
  onback: () => void;
  /** The user wants to use the prompt. */
  onsubmit: (prompt: Prompt, values: TypedValues, result: GetPromptResult) => void;
}

/** The form of the prompt that the user has chosen: its arguments, and what the model gets. */
export class PromptForm {
  readonly #host: LitElement;
  readonly #options: PromptFormOptions;
  readonly #fields: CompletedFields;
  readonly #answer: PromptAnswer;
  #prompt: Prompt | undefined;
  /** A field for each argument of the prompt. */
  #arguments: readonly CompletedField[] = [];
  /** What is filled in, also for arguments that the prompt does not have. */
  #values: TypedValues = {};
  #isTried = false;
  /** What is filled in for prompts that are not shown now, by their names. */
  readonly #left = new Map<string, TypedValues>();

  constructor(host: LitElement, options: PromptFormOptions) {
    this.#host = host;
    this.#options = options;
    this.#answer = new PromptAnswer(host);
    this.#fields = new CompletedFields(host, {
      complete: (name, typed, signal) => this.#complete(name, typed, signal),
      onchange: (name, value) => {
        this.#values = { ...this.#values, [name]: value };
        this.#answer.forget();
      },
    });
  }

  /** The prompt that is shown. */
  get prompt(): Prompt | undefined {
    return this.#prompt;
  }

  /** Shows a prompt; one without arguments with its messages, because there is nothing to wait for. */
  show(prompt: Prompt): void {
    this.clear();
    this.#prompt = prompt;
    this.#arguments = fieldsOf(prompt);
    this.#values = this.#left.get(prompt.name) ?? {};
    this.#host.requestUpdate();
    if (this.#arguments.length === 0) void this.#fetch();
  }

  /** Shows the next version of the prompt, with what the user has filled in. */
  replace(prompt: Prompt): void {
    if (prompt === this.#prompt) return;
    const before = JSON.stringify(this.#filledIn);
    this.#prompt = prompt;
    this.#arguments = fieldsOf(prompt);
    // What is shown is the answer for the arguments that the prompt had.
    if (JSON.stringify(this.#filledIn) !== before) this.#answer.forget();
  }

  /** Drops what is of another server: its answers, and what is filled in for prompts that are not shown. */
  forgetServer(): void {
    this.#left.clear();
    this.#fields.close();
    this.#answer.forget();
  }

  /** Shows no prompt, and drops an answer that is still to come. */
  clear(): void {
    this.#prompt = undefined;
    this.#arguments = [];
    this.#values = {};
    this.#isTried = false;
    this.#fields.close();
    this.#answer.forget();
  }

  render(): TemplateResult {
    const onback = (): void => {
      this.#left.set(this.#prompt!.name, this.#values);
      this.#options.onback();
    };
    const label = msg('Other prompts', { id: 'mcp.prompt-menu.back' });
    const retry = this.#options.client() && ((): void => void this.#fetch());
    return html`<form novalidate @submit=${this.#onSubmit}>
      ${renderHeading(titleOf(this.#prompt!), this.#prompt!.description, { label, onback })}
      ${this.#fields.render(this.#arguments, this.#values, this.#isTried)} ${this.#renderActions()}
      ${this.#answer.render(retry)} ${this.#fields.renderPopup()}
    </form>`;
  }

  /** The arguments that are filled in and that the prompt has. */
  get #filledIn(): { [name: string]: string } {
    const filled = this.#arguments.map(({ name }) => [name, textIn(this.#values, name)] as const);
    return Object.fromEntries(filled.filter(([, value]) => value !== ''));
  }

  #renderActions(): TemplateResult {
    const isDisabled = !this.#options.client() || this.#answer.isPending;
    return html`<div class="actions">
      <button class="primary" part="submit" ?disabled=${isDisabled}>
        <slot name="submit">${msg('Use prompt', { id: 'mcp.prompt-menu.use' })}</slot>
      </button>
      <button type="button" ?disabled=${isDisabled} @click=${() => void this.#fetch()}>
        ${msg('Preview', { id: 'mcp.prompt-menu.show' })}
      </button>
    </div>`;
  }

  /** Fetches the prompt, and shows it. Resolves with what the model gets, if there is something. */
  async #fetch(): Promise<GetPromptResult | undefined> {
    const client = this.#options.client();
    const prompt = this.#prompt;
    if (!client || !prompt || !this.#isComplete()) return undefined;
    this.#fields.close();
    return await this.#answer.fetch(client, prompt.name, this.#filledIn);
  }

  /** Whether all required arguments are there; if not, the fields say so. */
  #isComplete(): boolean {
    this.#isTried = true;
    this.#host.requestUpdate();
    if (missingIn(this.#arguments, this.#values).length === 0) return true;
    void this.#host.updateComplete.then(() =>
      this.#host.renderRoot.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
    );
    return false;
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.#submit();
  };

  async #submit(): Promise<void> {
    const prompt = this.#prompt;
    if (!prompt || this.#answer.isPending) return;
    const values = this.#filledIn;
    const result = this.#answer.result ?? (await this.#fetch());
    if (!result) return;
    this.#left.delete(prompt.name);
    this.#options.onsubmit(prompt, values, result);
  }

  #complete(
    name: string,
    value: string,
    signal: AbortSignal,
  ): Promise<CompleteResult['completion']> | undefined {
    const client = this.#options.client();
    if (!this.#prompt || client?.serverCapabilities?.completions === undefined) return undefined;
    const { [name]: _own, ...context } = this.#filledIn;
    const reference = { type: 'ref/prompt', name: this.#prompt.name } as const;
    return client.complete(reference, { name, value }, { context, signal });
  }
}

function fieldsOf(prompt: Prompt): readonly CompletedField[] {
  return usableArguments(prompt).map(({ name, title, description, required }) => ({
    name,
    label: title?.trim() || name,
    description,
    isRequired: required,
  }));
}

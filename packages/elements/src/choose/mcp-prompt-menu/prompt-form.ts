import type { CompleteResult, GetPromptResult, McpClient, Prompt } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, type LitElement, type TemplateResult } from 'lit';
import { CompletedFields } from '../../fields/options/completed-fields.js';
import { renderHeading } from '../../fields/catalog/render-heading.js';
import { PromptAnswer } from './prompt-answer.js';
import { PromptArguments } from './prompt-arguments.js';
import { titleOf } from './render-prompt.js';

/** What the form needs from the menu. */
export interface PromptFormOptions {
  /** The client; `undefined` if the connection has ended. */
  client: () => McpClient | undefined;
  /** The user goes back to the list. */
  onback: () => void;
  /** The user wants to use the prompt. */
  onsubmit: (
    prompt: Prompt,
    values: { readonly [name: string]: string },
    result: GetPromptResult,
  ) => void;
}

/** The form of the prompt that the user has chosen: its arguments, and what the model gets. */
export class PromptForm {
  readonly #host: LitElement;
  readonly #options: PromptFormOptions;
  readonly #fields: CompletedFields;
  readonly #answer: PromptAnswer;
  #prompt: Prompt | undefined;
  #arguments: PromptArguments | undefined;
  #isTried = false;
  /** What is filled in for prompts that are not shown now, by their names. */
  readonly #left = new Map<string, PromptArguments['values']>();

  constructor(host: LitElement, options: PromptFormOptions) {
    this.#host = host;
    this.#options = options;
    this.#answer = new PromptAnswer(host);
    this.#fields = new CompletedFields(host, {
      complete: (name, typed, signal) => this.#complete(name, typed, signal),
      onchange: (name, value) => {
        this.#arguments?.set(name, value);
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
    this.#arguments = new PromptArguments(prompt, this.#left.get(prompt.name));
    this.#host.requestUpdate();
    if (this.#arguments.fields.length === 0) void this.#fetch();
  }

  /** Shows the next version of the prompt, with what the user has filled in. */
  replace(prompt: Prompt): void {
    if (prompt === this.#prompt) return;
    const before = this.#arguments;
    this.#prompt = prompt;
    this.#arguments = new PromptArguments(prompt, before?.values);
    // What is shown is the answer for the arguments that the prompt had.
    if (!this.#arguments.hasSameValues(before)) this.#answer.forget();
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
    this.#arguments = undefined;
    this.#isTried = false;
    this.#fields.close();
    this.#answer.forget();
  }

  render(): TemplateResult {
    const onback = (): void => {
      this.#left.set(this.#prompt!.name, this.#arguments!.values);
      this.#options.onback();
    };
    const label = msg('Other prompts', { id: 'mcp.prompt-menu.back' });
    const retry = this.#options.client() && ((): void => void this.#fetch());
    return html`<form novalidate @submit=${this.#onSubmit}>
      ${renderHeading(titleOf(this.#prompt!), this.#prompt!.description, { label, onback })}
      ${this.#renderFields()} ${this.#renderActions()} ${this.#answer.render(retry)}
      ${this.#fields.renderPopup()}
    </form>`;
  }

  #renderFields(): readonly TemplateResult[] {
    const { fields, missing } = this.#arguments!;
    const empty = new Set(this.#isTried ? missing : []);
    const needed = msg('A value is needed.', { id: 'mcp.template-form.needed' });
    return fields.map((field) => {
      const error = empty.has(field.name) ? needed : undefined;
      return this.#fields.render(field, this.#arguments!.valueOf(field.name), error);
    });
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
    return await this.#answer.fetch(client, prompt.name, this.#arguments!.filledIn);
  }

  /** Whether all required arguments are there; if not, the fields say so. */
  #isComplete(): boolean {
    this.#isTried = true;
    this.#host.requestUpdate();
    if (this.#arguments!.missing.length === 0) return true;
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
    const values = this.#arguments!.filledIn;
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
    const { [name]: _own, ...context } = this.#arguments!.filledIn;
    const reference = { type: 'ref/prompt', name: this.#prompt.name } as const;
    return client.complete(reference, { name, value }, { context, signal });
  }
}

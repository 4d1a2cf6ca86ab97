import type {
  Prompt,
  CompleteResult,
  GetPromptResult,
  McpClient,
  PromptMessage,
} from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import {
  html,
  nothing,
  type TemplateResult,
  type LitElement,
  type ReactiveController,
  type ReactiveControllerHost,
} from 'lit';
import { icon, noteIcon } from '../../base/look/icons.js';
import { renderError, renderLoading } from '../../base/look/messages.js';
import { formatTokens } from '../../base/text/format-tokens.js';
import { formatNumber } from '../../base/text/format.js';
import { tokensOfText } from '../../base/text/tokens.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { searchableTexts, translateText } from '../../base/text/translate-text.js';
import { renderHeading } from '../../fields/catalog/render-catalog.js';
import {
  CompletedFields,
  missingIn,
  textIn,
  type CompletedField,
  type TypedValues,
} from '../../fields/options/completed-fields.js';
import { usableArguments, usableMessages } from '../../reading/gate.js';
import { BlockList, type ShownBlock } from '../../show/blocks/content-blocks.js';

/** The texts by which a prompt is found. */
export function textsOf({ title, name, description }: Prompt): readonly unknown[] {
  return searchableTexts([title, name, description]);
}

/** The title of a prompt for people. */
export function titleOf({ title, name }: Prompt): string {
  return truncateText(translateText(title?.trim() || name));
}

/** A prompt as an option of the menu. */
export function renderPrompt(prompt: Prompt): TemplateResult {
  return html`${icon(noteIcon)}
    <span class="texts">
      <span class="one-line" part="title">${titleOf(prompt)}</span>
      <span class="one-line details" part="details"
        >${truncateText(translateText(prompt.description || prompt.name))}</span
      >
    </span>
    <span class="end" dir="ltr">/${truncateText(prompt.name, 40)}</span>`;
}

/** The parts of the menu that the form needs. */
interface PromptFormOptions {
  /** The client; `undefined` if the connection has ended. */
  client: () => McpClient | undefined;
  /** Called when the user goes back to the list. */
  onback: () => void;
  /** Called when the user wants to use the prompt. */
  onsubmit: (prompt: Prompt, values: TypedValues, result: GetPromptResult) => void;
}

/** The form of the prompt that the user has chosen: its arguments, and the messages for the model. */
export class PromptForm {
  readonly #host: LitElement;
  readonly #options: PromptFormOptions;
  readonly #fields: CompletedFields;
  readonly #answer: PromptAnswer;
  /** The prompt that is shown. */
  prompt: Prompt | undefined;
  /** A field for each argument of the prompt. */
  #arguments: readonly CompletedField[] = [];
  /** The texts that are filled in, also for arguments that the prompt does not have. */
  #values: TypedValues = {};
  #isTried = false;
  /** The texts for prompts that are not shown now, by their names. */
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

  /**
   * Shows a prompt. If it has no arguments, its messages are shown at once, because there is nothing to wait
   * for.
   */
  show(prompt: Prompt): void {
    this.clear();
    this.prompt = prompt;
    this.#arguments = fieldsOf(prompt);
    this.#values = this.#left.get(prompt.name) ?? {};
    this.#host.requestUpdate();
    if (this.#arguments.length === 0) void this.#fetch();
  }

  /** Shows the next version of the prompt, with the user's input. */
  replace(prompt: Prompt): void {
    if (prompt === this.prompt) return;
    const before = JSON.stringify(this.#filledIn);
    this.prompt = prompt;
    this.#arguments = fieldsOf(prompt);
    // The shown answer is for the arguments that the prompt had.
    if (JSON.stringify(this.#filledIn) !== before) this.#answer.forget();
  }

  /** Drops the data of another server: its answers, and the input for prompts that are not shown. */
  forgetServer(): void {
    this.#left.clear();
    this.#fields.close();
    this.#answer.forget();
  }

  /** Shows no prompt, and drops an answer that has not arrived yet. */
  clear(): void {
    this.prompt = undefined;
    this.#arguments = [];
    this.#values = {};
    this.#isTried = false;
    this.#fields.close();
    this.#answer.forget();
  }

  render(): TemplateResult {
    const onback = (): void => {
      this.#left.set(this.prompt!.name, this.#values);
      this.#options.onback();
    };
    const label = msg('Other prompts', { id: 'mcp.prompt-menu.back' });
    const retry = this.#options.client() && ((): void => void this.#fetch());
    return html`<form novalidate @submit=${this.#onSubmit}>
      ${renderHeading(titleOf(this.prompt!), this.prompt!.description, { label, onback })}
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

  /** Fetches the prompt, and shows it. Resolves with the messages for the model, if the server has answered. */
  async #fetch(): Promise<GetPromptResult | undefined> {
    const client = this.#options.client();
    const prompt = this.prompt;
    if (!client || !prompt || !this.#isComplete()) return undefined;
    this.#fields.close();
    return await this.#answer.fetch(client, prompt.name, this.#filledIn);
  }

  /** Whether all required arguments are filled in; if not, the fields show it. */
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
    const prompt = this.prompt;
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
    if (!this.prompt || client?.serverCapabilities?.completions === undefined) return undefined;
    const { [name]: _own, ...context } = this.#filledIn;
    const reference = { type: 'ref/prompt', name: this.prompt.name } as const;
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

type State =
  | { name: 'none' }
  | { name: 'pending' }
  | { name: 'error'; error: unknown }
  | {
      name: 'ready';
      result: GetPromptResult;
      messages: readonly PromptMessage[];
      unusable: number;
      blocks: BlockList;
    };

/**
 * The answer of the server for the arguments in the form: the messages as the model gets them. An outdated
 * answer is dropped.
 */
class PromptAnswer implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #state: State = { name: 'none' };
  #fetching = new AbortController();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.forget();
  }

  /** Whether the server has not answered yet. */
  get isPending(): boolean {
    return this.#state.name === 'pending';
  }

  /** The answer, if it has arrived. */
  get result(): GetPromptResult | undefined {
    return this.#state.name === 'ready' ? this.#state.result : undefined;
  }

  /** Drops the answer, also one that has not arrived yet. */
  forget(): void {
    this.#fetching.abort();
    this.#set({ name: 'none' });
  }

  /** Fetches a prompt. Resolves with the answer, unless it fails or is dropped. */
  async fetch(
    client: McpClient,
    prompt: string,
    args: { [name: string]: string },
  ): Promise<GetPromptResult | undefined> {
    this.forget();
    this.#set({ name: 'pending' });
    this.#fetching = new AbortController();
    const { signal } = this.#fetching;
    try {
      const result = await client.getPrompt(prompt, args, { signal });
      if (signal.aborted) return undefined;
      const { messages, unusable } = usableMessages(result);
      const contents = messages.map(({ content }) => content);
      const blocks = new BlockList(contents, { update: () => this.#host.requestUpdate() });
      this.#set({ name: 'ready', result, messages, unusable, blocks });
      return result;
    } catch (error) {
      if (!signal.aborted) this.#set({ name: 'error', error });
      return undefined;
    }
  }

  /**
   * Renders the answer.
   *
   * @param onretry Without it, nothing can be tried again.
   */
  render(onretry: (() => void) | undefined): TemplateResult | typeof nothing {
    switch (this.#state.name) {
      case 'none':
        return nothing;
      case 'pending':
        return renderLoading(2);
      case 'error':
        return renderError(this.#state.error, onretry);
      default:
        return renderMessages(this.#state);
    }
  }

  #set(state: State): void {
    if (this.#state.name === 'ready') this.#state.blocks.dispose();
    this.#state = state;
    this.#host.requestUpdate();
  }
}

function renderMessages(state: State & { name: 'ready' }): TemplateResult {
  const { messages, blocks } = state;
  const [count, unusable] = [formatNumber(messages.length), formatNumber(state.unusable)];
  return html`<section
    class="preview"
    part="preview"
    aria-label=${msg('What the model gets', { id: 'mcp.prompt-menu.preview' })}
  >
    <p class="facts" role="status">
      ${msg(str`What the model gets. Messages: ${count}`, { id: 'mcp.prompt-menu.messages' })}
    </p>
    <ol role="list">
      ${blocks.shown.map((block, index) => renderMessage(messages[index]!, block))}
    </ol>
    ${blocks.renderMore()}
    ${
      state.unusable > 0
        ? html`<p class="facts">
            ${msg(str`Messages that cannot be shown: ${unusable}`, { id: 'mcp.prompt-menu.unusable' })}
          </p>`
        : nothing
    }
  </section>`;
}

function renderMessage({ role }: PromptMessage, block: ShownBlock): TemplateResult {
  const { text } = block;
  const who =
    role === 'user'
      ? msg('User', { id: 'mcp.prompt-menu.user' })
      : msg('Assistant', { id: 'mcp.prompt-menu.assistant' });
  return html`<li class="block ${role}" part="message">
    <div class="from">
      <strong>${who}</strong>
      ${text === undefined ? nothing : html`<span>${formatTokens(tokensOfText(text))}</span>`}
    </div>
    ${block.render()}
  </li>`;
}

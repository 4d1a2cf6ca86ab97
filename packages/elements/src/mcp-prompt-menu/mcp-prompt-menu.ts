import type { CompleteResult, GetPromptResult, Prompt, PromptArgument } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { McpElement } from '../element/mcp-element.js';
import { Chooser, chooserStyles } from '../fields/chooser.js';
import type { CompletedField } from '../fields/completed-field.js';
import { CompletedFields } from '../fields/completed-fields.js';
import { completedFieldStyles } from '../fields/completed-field.styles.js';
import { formStyles } from '../fields/form-styles.js';
import { optionStyles } from '../fields/option-list.js';
import { Popup, popupStyles } from '../fields/popup.js';
import { TypedTrigger, type TextField } from '../fields/typed-trigger.js';
import { chevronIcon, icon, noteIcon } from '../look/icons.js';
import { renderConnection, renderError, renderLoading } from '../look/messages.js';
import { theme } from '../look/theme.js';
import { Catalog } from '../reading/catalog.js';
import { usableArguments, usablePrompts } from '../reading/usable-answers.js';
import { formatNumber } from '../text/format.js';
import { truncateText } from '../text/truncate-text.js';
import { McpPromptSubmitEvent } from './events.js';
import { styles } from './mcp-prompt-menu.styles.js';
import { PromptAnswer } from './prompt-answer.js';

/** `/` at the start of the text field, and what follows. */
const COMMAND = /^\/(?<query>[^\s/]{0,100})$/;

/** Where the focus begins. */
const FIRST_FOCUS = '.chooser input, .field input, button.primary';

/**
 * A menu of the server's prompts. The user chooses a prompt, fills in its arguments with suggestions
 * of the server, and sees the messages that the model gets. With `for`, `/` at the start of a text
 * field of the page opens the menu.
 *
 * @element mcp-prompt-menu
 * @slot empty - Shown when the server has no prompts.
 * @slot submit - The text of the button that submits. Default: `Use prompt`.
 * @fires mcp-prompt-submit - The user wants to use a prompt.
 * @csspart filter - The field that filters the prompts.
 * @csspart options - The list of the prompts, or of the suggestions.
 * @csspart option - A prompt, or a suggestion.
 * @csspart field - A field with its label.
 * @csspart popup - A popup with prompts or suggestions.
 * @csspart preview - What the model gets.
 * @csspart message - A message of the prompt.
 * @csspart submit - The button that submits.
 * @csspart error - A failure to load the prompts, or a prompt.
 * @csspart connection - The remark about a lost or ended connection.
 */
export class McpPromptMenu extends McpElement {
  static override readonly styles = [
    theme,
    optionStyles,
    popupStyles,
    chooserStyles,
    completedFieldStyles,
    formStyles,
    styles,
  ];

  static override readonly properties = {
    for: {},
    field: { attribute: false },
  };

  /** The id of a text field in the same tree, where `/` opens the menu. Default: none. */
  declare for: string | undefined;
  /** A text field where `/` opens the menu, instead of the one with the id `for`. Default: none. */
  declare field: TextField | undefined;

  readonly #catalog = new Catalog<Prompt>(this, {
    keyOf: ({ name }) => name,
    textsOf,
    fetchPage: async (client, options) => usablePrompts(await client.listPrompts(options)),
    watch: (client, listener, options) => client.watchPrompts(listener, options),
  });
  readonly #chooser = new Chooser<Prompt>(this, {
    keyOf: ({ name }) => name,
    textsOf,
    render: renderPrompt,
    onchoose: (prompt) => this.#choose(prompt),
  });
  readonly #fields = new CompletedFields(this, {
    complete: (name, typed, signal) => this.#complete(name, typed, signal),
    onchange: (name, value) => this.#change(name, value),
  });
  readonly #answer = new PromptAnswer(this);
  readonly #popupElement = createRef<HTMLElement>();
  readonly #popup = new Popup(this, {
    element: () => this.#popupElement.value,
    anchor: () => this.#command.rect(),
  });
  readonly #command = new TypedTrigger(this, {
    pattern: COMMAND,
    onchange: () => this.#onCommand(),
    onkeydown: (event) => this.#onCommandKey(event),
  });
  #chosen: Prompt | undefined;
  #values: { readonly [name: string]: string } = {};
  #checked: { prompt: Prompt; arguments: readonly PromptArgument[] } | undefined;
  #isTried = false;
  #focusFirst = false;
  #announcement = '';

  /** Moves the focus to the list, or to the first field of the form. */
  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>(FIRST_FOCUS)?.focus(options);
  }

  /** Loads the prompts again after an error. */
  retry(): void {
    this.#catalog.retry();
  }

  /** Goes back to the list of the prompts. */
  reset(): void {
    this.#chosen = undefined;
    this.#values = {};
    this.#isTried = false;
    this.#chooser.typed = '';
    this.#fields.close();
    this.#answer.forget();
  }

  protected override willUpdate(): void {
    this.#command.watch(this.field, this.for ?? '');
    this.#catalog.client = this.connection.client;
    this.#catalog.isNeeded = !this.#hasField || this.#popup.isOpen || this.#chosen !== undefined;
    this.#chooser.update(this.#catalog.entries);
    // The server may have changed its arguments.
    const { name } = this.#chosen ?? {};
    this.#chosen = this.#catalog.entries.find((prompt) => prompt.name === name) ?? this.#chosen;
  }

  protected override updated(): void {
    if (!this.#focusFirst) return;
    this.#focusFirst = false;
    if (!this.#chosen && this.#hasField) this.#command.field?.focus();
    else this.focus();
  }

  protected override render(): TemplateResult {
    const isListShown = !this.#hasField && !this.#chosen;
    return html`
      ${this.#chosen ? this.#renderForm(this.#chosen) : nothing}
      ${isListShown ? this.#renderList(() => this.#chooser.render(this.#label)) : nothing}
      ${renderConnection(this.connection.state)}
      <div class="popup commands" part="popup" popover="manual" ${ref(this.#popupElement)}>
        ${
          this.#popup.isOpen && !this.#chosen
            ? this.#renderList(() => this.#chooser.renderList(this.#label))
            : nothing
        }
      </div>
      <div class="visually-hidden" role="status">${this.#announcement}</div>
    `;
  }

  get #label(): string {
    return msg('Prompts', { id: 'mcp.prompt-menu.label' });
  }

  get #hasField(): boolean {
    return this.field !== undefined || (this.for ?? '') !== '';
  }

  get #isClosed(): boolean {
    return this.connection.state === 'closed';
  }

  #renderList(renderEntries: () => TemplateResult): TemplateResult {
    const { entries, status, error } = this.#catalog;
    const retry = this.#isClosed ? undefined : (): void => this.retry();
    if (entries.length === 0 && status === 'error') return renderError(error, retry);
    if (entries.length === 0 && status === 'ready') {
      return html`<div class="message">
        <slot name="empty"
          >${msg('The server has no prompts.', { id: 'mcp.prompt-menu.empty' })}</slot
        >
      </div>`;
    }
    if (entries.length === 0) return renderLoading();
    return html`${renderEntries()} ${status === 'error' ? renderError(error, retry) : nothing}`;
  }

  #renderForm(prompt: Prompt): TemplateResult {
    const back = msg('Other prompts', { id: 'mcp.prompt-menu.back' });
    const missing = new Set(this.#isTried ? this.#missing(prompt) : []);
    const needed = msg('A value is needed.', { id: 'mcp.template-form.needed' });
    return html`<form novalidate @submit=${this.#onSubmit}>
      <div class="heading">
        <button
          type="button"
          class="quiet back"
          aria-label=${back}
          title=${back}
          @click=${this.#back}
        >
          ${icon(chevronIcon)}
        </button>
        <strong class="one-line">${titleOf(prompt)}</strong>
      </div>
      ${prompt.description ? html`<p class="about">${truncateText(prompt.description, 500)}</p>` : nothing}
      ${this.#argumentsOf(prompt).map((argument) =>
        this.#fields.render(
          fieldOf(argument),
          this.#valueOf(argument.name),
          missing.has(argument.name) ? needed : undefined,
        ),
      )}
      ${this.#renderActions()}
      ${this.#answer.render(this.#isClosed ? undefined : () => void this.#fetch())}
      ${this.#fields.renderPopup()}
    </form>`;
  }

  #renderActions(): TemplateResult {
    const { isPending } = this.#answer;
    return html`<div class="actions">
      <button class="primary" part="submit" ?disabled=${this.#isClosed || isPending}>
        <slot name="submit">${msg('Use prompt', { id: 'mcp.prompt-menu.use' })}</slot>
      </button>
      <button
        type="button"
        ?disabled=${this.#isClosed || isPending}
        @click=${() => void this.#fetch()}
      >
        ${msg('Preview', { id: 'mcp.prompt-menu.show' })}
      </button>
    </div>`;
  }

  #argumentsOf(prompt: Prompt): readonly PromptArgument[] {
    if (prompt !== this.#checked?.prompt)
      this.#checked = { prompt, arguments: usableArguments(prompt) };
    return this.#checked.arguments;
  }

  #valueOf(name: string): string {
    return Object.hasOwn(this.#values, name) ? this.#values[name]! : '';
  }

  #missing(prompt: Prompt): readonly string[] {
    return this.#argumentsOf(prompt)
      .filter(({ name, required }) => required && this.#valueOf(name).trim() === '')
      .map(({ name }) => name);
  }

  /** The arguments that are filled in and that the prompt has. */
  #filledIn(prompt: Prompt): { [name: string]: string } {
    const filled = this.#argumentsOf(prompt).flatMap(({ name }) => {
      const value = this.#valueOf(name);
      return value === '' ? [] : [[name, value] as const];
    });
    return Object.fromEntries(filled);
  }

  #choose(prompt: Prompt): void {
    if (this.#command.typed) this.#command.replace('');
    this.reset();
    this.#popup.isOpen = false;
    this.#chosen = prompt;
    this.#focusFirst = true;
    this.requestUpdate();
    // Without arguments, there is nothing to wait for.
    if (this.#argumentsOf(prompt).length === 0 && !this.#isClosed) void this.#fetch();
  }

  #back(): void {
    this.reset();
    this.#focusFirst = true;
  }

  #change(name: string, value: string): void {
    this.#values = { ...this.#values, [name]: value };
    this.#answer.forget();
  }

  /** Fetches the prompt, and shows it. Resolves with what the model gets, if there is something. */
  async #fetch(): Promise<GetPromptResult | undefined> {
    const { client } = this.connection;
    const prompt = this.#chosen;
    if (!client || !prompt || !this.#isComplete(prompt)) return undefined;
    this.#fields.close();
    return await this.#answer.fetch(client, prompt.name, this.#filledIn(prompt));
  }

  /** Whether all required arguments are there; if not, the fields say so. */
  #isComplete(prompt: Prompt): boolean {
    this.#isTried = true;
    this.requestUpdate();
    if (this.#missing(prompt).length === 0) return true;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
    );
    return false;
  }

  #onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    void this.#submit();
  }

  async #submit(): Promise<void> {
    const prompt = this.#chosen;
    if (!prompt || this.#answer.isPending) return;
    const args = this.#filledIn(prompt);
    const result = this.#answer.result ?? (await this.#fetch());
    if (!result) return;
    this.dispatchEvent(new McpPromptSubmitEvent(prompt.name, args, result));
    this.reset();
    this.#focusFirst = true;
  }

  #complete(
    name: string,
    value: string,
    signal: AbortSignal,
  ): Promise<CompleteResult['completion']> | undefined {
    const { client } = this.connection;
    if (!client || !this.#chosen || client.serverCapabilities?.completions === undefined)
      return undefined;
    const { [name]: _own, ...context } = this.#filledIn(this.#chosen);
    const reference = { type: 'ref/prompt', name: this.#chosen.name } as const;
    return client.complete(reference, { name, value }, { context, signal });
  }

  #onCommand(): void {
    const { typed } = this.#command;
    this.#popup.isOpen = typed !== undefined;
    this.#announcement = '';
    if (typed) this.#chooser.typed = typed.query;
    this.requestUpdate();
  }

  #onCommandKey(event: KeyboardEvent): boolean {
    if (event.key === 'Escape') {
      this.#command.dismiss();
      return true;
    }
    const { activeEntry } = this.#chooser;
    if (event.key === 'Tab' || !this.#chooser.onkeydown(event)) return false;
    if (this.#chooser.activeEntry !== activeEntry) this.#announceActive();
    return true;
  }

  /** The focus is in a field of the page, which cannot name an option inside this element. */
  #announceActive(): void {
    const { activeEntry, place } = this.#chooser;
    if (!activeEntry) return;
    const [title, position, count] = [titleOf(activeEntry), ...place];
    this.#announcement = msg(str`${title}, ${formatNumber(position)} of ${formatNumber(count)}`, {
      id: 'mcp.resource-picker.active',
    });
    this.requestUpdate();
  }
}

function textsOf({ title, name, description }: Prompt): readonly unknown[] {
  return [title, name, description];
}

function titleOf({ title, name }: Prompt): string {
  return truncateText(title?.trim() || name);
}

function fieldOf({ name, title, description, required }: PromptArgument): CompletedField {
  return { name, label: title?.trim() || name, description, isRequired: required };
}

function renderPrompt(prompt: Prompt): TemplateResult {
  return html`${icon(noteIcon)}
    <span class="texts">
      <span class="one-line">${titleOf(prompt)}</span>
      <span class="one-line details">${truncateText(prompt.description || prompt.name)}</span>
    </span>
    <span class="end" dir="ltr">/${truncateText(prompt.name, 40)}</span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-prompt-menu': McpPromptMenu;
  }
}

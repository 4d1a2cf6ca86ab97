import type { McpClient, Prompt } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { Chooser, chooserStyles } from '../../fields/options/chooser.js';
import { completedFieldStyles } from '../../fields/options/completed-fields.js';
import { formStyles, listStates, renderCatalog } from '../../fields/catalog/render-catalog.js';
import { optionStyles } from '../../fields/options/option-list.js';
import { Popup, popupStyles } from '../../fields/options/popup.js';
import { TypedTrigger, type TextField } from '../../fields/options/typed-trigger.js';
import { longTextStyles } from '../../base/look/long-text.js';
import { renderConnection } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { Catalog } from '../../reading/catalog.js';
import { othersInWords } from '../../reading/declared.js';
import { usablePrompts } from '../../reading/gate.js';
import { blockStyles } from '../../show/blocks/content-blocks.js';
import { McpPromptSubmitEvent } from './events.js';
import { styles } from './mcp-prompt-menu.styles.js';
import { PromptForm, renderPrompt, textsOf, titleOf } from './prompt-form.js';

/** The `/` at the start of the text field, and the text after it. */
const COMMAND = /^\/(?<query>[^\s/]{0,100})$/;

/** The first part that can have the focus. */
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
 * @csspart icon - The icon of a prompt.
 * @csspart title - The title of a prompt.
 * @csspart details - What stands below a title.
 * @csspart heading - The title of a chosen prompt.
 * @csspart connection - The remark about a lost or ended connection.
 * @cssstate loading - The list is being loaded, and nothing of it is there yet.
 * @cssstate empty - The server has no prompts.
 * @cssstate error - The list could not be loaded.
 * @cssstate reconnecting - The connection is lost; what is shown may be out of date.
 * @cssstate closed - The connection has ended.
 */
export class McpPromptMenu extends McpElement {
  static override readonly styles = [
    theme,
    optionStyles,
    popupStyles,
    chooserStyles,
    completedFieldStyles,
    formStyles,
    longTextStyles,
    blockStyles,
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
    capability: 'prompts',
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
  readonly #form = new PromptForm(this, {
    client: () => (this.#isClosed ? undefined : this.connection.client),
    onback: () => this.#leave(),
    onsubmit: (prompt, values, result) => {
      this.dispatchEvent(new McpPromptSubmitEvent(prompt.name, values, result));
      this.#leave();
    },
  });
  readonly #popupElement = createRef<HTMLElement>();
  readonly #popup = new Popup(this, {
    element: () => this.#popupElement.value,
    anchor: () => this.#command.field,
  });
  readonly #command = new TypedTrigger(this, {
    pattern: COMMAND,
    onchange: () => this.#onCommand(),
    onkeydown: (event) => this.#onCommandKey(event),
  });
  /** The client of the shown prompt. */
  #client: McpClient | undefined;
  /** Whether the list of another client is still loading. */
  #isOfOtherClient = false;
  #focusFirst = false;

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
    this.#form.clear();
    this.#chooser.typed = '';
  }

  protected override willUpdate(): void {
    this.#command.watch(this.field, this.for ?? '');
    this.#catalog.client = this.connection.client;
    this.#catalog.isNeeded =
      !this.#hasField || this.#popup.isOpen || this.#form.prompt !== undefined;
    this.#chooser.update(this.#catalog.entries);
    this.#followServer(this.connection.client);
    const isListShown = !this.#form.prompt && (!this.#hasField || this.#popup.isOpen);
    for (const [name, isOn] of listStates(this.#catalog, this.connection.state, isListShown))
      this.setState(name, isOn);
  }

  /**
   * Follows a change of the server. It may have changed the arguments of the prompt; another server may not
   * have the prompt at all.
   */
  #followServer(client: McpClient | undefined): void {
    if (client && client !== this.#client) {
      // The shown answer is that of the previous server.
      this.#form.forgetServer();
      this.#isOfOtherClient = this.#client !== undefined;
      this.#client = client;
    }
    const { prompt } = this.#form;
    const listed = this.#catalog.entries.find(({ name }) => name === prompt?.name);
    if (listed) this.#form.replace(listed);
    if (this.#catalog.status !== 'ready') return;
    if (this.#isOfOtherClient && prompt && !listed) this.reset();
    this.#isOfOtherClient = false;
  }

  protected override updated(): void {
    if (!this.#focusFirst) return;
    this.#focusFirst = false;
    if (!this.#form.prompt && this.#hasField) this.#command.field?.focus();
    else this.focus();
  }

  protected override render(): TemplateResult {
    const { prompt } = this.#form;
    const isListShown = !this.#hasField && !prompt;
    return html`
      ${prompt ? this.#form.render() : nothing}
      ${isListShown ? this.#renderList(() => this.#chooser.render(this.#label)) : nothing}
      ${renderConnection(this.connection.state)}
      <div class="popup commands" part="popup" popover="manual" ${ref(this.#popupElement)}>
        ${
          this.#popup.isOpen && !prompt
            ? this.#renderList(() => this.#chooser.renderList(this.#label))
            : nothing
        }
      </div>
      ${this.#hasField ? this.#chooser.list.renderStatus() : nothing}
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

  #renderList(entries: () => TemplateResult): TemplateResult {
    return renderCatalog(this.#catalog, {
      entries,
      empty: html`${msg('The server has no prompts.', { id: 'mcp.prompt-menu.empty' })}
      ${othersInWords(this.connection.client, 'prompts')}`,
      onretry: this.#isClosed ? undefined : () => this.retry(),
    });
  }

  #choose(prompt: Prompt): void {
    if (this.#command.typed) this.#command.replace('');
    this.#chooser.typed = '';
    this.#popup.isOpen = false;
    this.#focusFirst = true;
    this.#form.show(prompt);
  }

  #leave(): void {
    this.reset();
    this.#focusFirst = true;
  }

  #onCommand(): void {
    const { typed } = this.#command;
    this.#popup.isOpen = typed !== undefined;
    this.#chooser.list.announce('');
    if (typed) this.#chooser.typed = typed.query;
    this.requestUpdate();
  }

  #onCommandKey(event: KeyboardEvent): boolean {
    if (event.key === 'Escape') {
      this.#command.dismiss();
      return true;
    }
    const { activeItem } = this.#chooser.list;
    if (event.key === 'Tab' || !this.#chooser.onkeydown(event)) return false;
    if (this.#chooser.list.activeItem !== activeItem) this.#chooser.list.announceActive(titleOf);
    return true;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-prompt-menu': McpPromptMenu;
  }
}

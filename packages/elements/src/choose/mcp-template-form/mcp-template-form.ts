import type { ResourceTemplate } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, type PropertyValues, type TemplateResult } from 'lit';
import { McpElement } from '../../base/element/mcp-element.js';
import { Chooser, chooserStyles } from '../../fields/options/chooser.js';
import {
  CompletedFields,
  completedFieldStyles,
  type TypedValues,
} from '../../fields/options/completed-fields.js';
import { optionStyles } from '../../fields/options/option-list.js';
import { popupStyles } from '../../fields/options/popup.js';
import {
  formStyles,
  listStates,
  renderCatalog,
  renderHeading,
} from '../../fields/catalog/render-catalog.js';
import { renderConnection, renderError } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { Catalog } from '../../reading/catalog.js';
import { othersInWords } from '../../reading/declared.js';
import { usableTemplates } from '../../reading/gate.js';
import { McpTemplateSubmitEvent } from './events.js';
import {
  renderAddress,
  renderTemplate,
  textsOf,
  titleOf,
  ShownTemplate,
  TemplateChoice,
} from './shown-template.js';

/** The first part that can have the focus. */
const FIRST_FOCUS = '.chooser input, .field :is(input, textarea), button.primary';

/**
 * A form for the variables of a resource template. The user chooses one of the server's templates,
 * fills in its variables with suggestions of the server, and sees the address that results.
 *
 * @element mcp-template-form
 * @slot empty - Shown when the server has no templates.
 * @slot submit - The text of the button that submits. Default: `Open`.
 * @fires mcp-template-submit - The user has filled in the form. Cancelable: if not cancelled, the
 *   element with the id `for` gets the uri.
 * @csspart filter - The field that filters the templates.
 * @csspart options - The list of the templates, or of the suggestions.
 * @csspart option - A template, or a suggestion.
 * @csspart field - A field with its label.
 * @csspart popup - The popup with the suggestions.
 * @csspart uri - The address that results.
 * @csspart submit - The button that submits.
 * @csspart error - A failure to load the templates.
 * @csspart icon - The icon of a template.
 * @csspart title - The title of a template.
 * @csspart details - What stands below a title.
 * @csspart heading - The title of the form.
 * @csspart connection - The remark about a lost or ended connection.
 * @cssstate loading - The list is being loaded, and nothing of it is there yet.
 * @cssstate empty - The server has no resource templates.
 * @cssstate error - The list could not be loaded.
 * @cssstate reconnecting - The connection is lost; what is shown may be out of date.
 * @cssstate closed - The connection has ended.
 */
export class McpTemplateForm extends McpElement {
  static override readonly styles = [
    theme,
    optionStyles,
    popupStyles,
    chooserStyles,
    completedFieldStyles,
    formStyles,
  ];

  static override readonly properties = {
    template: {},
    values: { attribute: false },
    for: {},
  };

  /**
   * The URI template that the user fills in, such as `note:///search{?q}`. The server need not list it.
   * Default: the one that the user chooses, or the only one of the server.
   */
  declare template: string | undefined;
  /** The texts of the fields by variable; for a list, one value on each line. Default: none. */
  declare values: TypedValues;
  /** The id of an element in the same tree whose `uri` is set, such as an `<mcp-resource-view>`. */
  declare for: string | undefined;

  readonly #catalog = new Catalog<ResourceTemplate>(this, {
    capability: 'resources',
    keyOf: ({ uriTemplate }) => uriTemplate,
    textsOf,
    fetchPage: async (client, options) =>
      usableTemplates(await client.listResourceTemplates(options)),
    watch: (client, listener, options) => client.watchList(listener, options),
  });
  readonly #chooser = new Chooser<ResourceTemplate>(this, {
    keyOf: ({ uriTemplate }) => uriTemplate,
    textsOf,
    render: renderTemplate,
    onchoose: (template) => this.#choose(template),
  });
  readonly #fields = new CompletedFields(this, {
    complete: (name, value, signal) =>
      this.#shown?.complete(this.connection.client, this.values, { name, value }, signal),
    onchange: (name, value) => this.#change(name, value),
  });
  readonly #choice = new TemplateChoice();
  #shown: ShownTemplate | undefined;
  /** Whether the user has tried to submit. Missing values are errors only after that. */
  #isTried = false;
  #focusFirst = false;

  constructor() {
    super();
    this.values = {};
  }

  /** The address that results; `undefined` without a template or while required values are missing. */
  get uri(): string | undefined {
    return this.#shown?.uri(this.values);
  }

  /** Moves the focus to the list, or to the first field of the form. */
  override focus(options?: FocusOptions): void {
    this.#focusOn(FIRST_FOCUS, options);
  }

  /** Loads the templates again after an error. */
  retry(): void {
    this.#catalog.retry();
  }

  /** Submits the form as the button does. Returns whether the form was complete. */
  submit(): boolean {
    const { uri } = this;
    const { template } = this.#shown ?? {};
    this.#isTried = true;
    this.#fields.close();
    this.requestUpdate();
    if (uri === undefined || !template) {
      void this.updateComplete.then(() => this.#focusOn('[aria-invalid=true]'));
      return false;
    }
    if (this.dispatchEvent(new McpTemplateSubmitEvent(uri, template))) this.#setUri(uri);
    return true;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#catalog.client = this.connection.client;
    this.#catalog.isNeeded = true;
    if (changed.has('template')) this.#choice.chosen = undefined;
    this.#choice.update(this.connection.client, this.#catalog);
    this.#show(this.#templateToShow());
    if (!this.#shown) this.#chooser.update(this.#catalog.entries);
    for (const [name, isOn] of listStates(this.#catalog, this.connection.state, !this.#shown))
      this.setState(name, isOn);
  }

  protected override updated(): void {
    if (!this.#focusFirst) return;
    this.#focusFirst = false;
    this.focus();
  }

  protected override render(): TemplateResult {
    return html`${this.#shown ? this.#renderForm(this.#shown) : this.#renderChooser()}
    ${renderConnection(this.connection.state)}`;
  }

  #templateToShow(): ResourceTemplate | undefined {
    const wanted = this.template ?? this.#choice.chosen;
    if (wanted === undefined) return undefined;
    const shown = this.#shown?.template;
    const unlisted = shown?.uriTemplate === wanted ? shown : { uriTemplate: wanted, name: '' };
    return this.#catalog.entries.find(({ uriTemplate }) => uriTemplate === wanted) ?? unlisted;
  }

  #show(template: ResourceTemplate | undefined): void {
    if (template && template.uriTemplate === this.#shown?.template.uriTemplate) {
      if (template !== this.#shown.template) this.#shown = new ShownTemplate(template);
      return;
    }
    if (!template && !this.#shown) return;
    this.#shown = template && new ShownTemplate(template);
    this.#isTried = false;
    this.#fields.close();
  }

  #renderChooser(): TemplateResult {
    const label = msg('Resource templates', { id: 'mcp.template-form.templates' });
    const empty = msg('The server has no resource templates.', { id: 'mcp.template-form.empty' });
    return renderCatalog(this.#catalog, {
      entries: () => this.#chooser.render(label),
      empty: html`${empty} ${othersInWords(this.connection.client, 'resources')}`,
      onretry: this.connection.state === 'closed' ? undefined : () => this.retry(),
    });
  }

  #renderForm(shown: ShownTemplate): TemplateResult {
    const { template, error } = shown;
    const label = msg('Other templates', { id: 'mcp.template-form.back' });
    const back = this.#canGoBack ? { label, onback: () => this.#back() } : undefined;
    return html`<form novalidate @submit=${this.#onSubmit}>
      ${renderHeading(titleOf(template), template.description, back)}
      ${error === undefined ? this.#renderFields(shown) : renderError(error)}
    </form>`;
  }

  #renderFields(shown: ShownTemplate): TemplateResult {
    return html`${this.#fields.render(shown.fields, this.values, this.#isTried)}
      ${renderAddress(shown.draft(this.values))}
      <div>
        <button class="primary" part="submit" ?disabled=${this.connection.state === 'closed'}>
          <slot name="submit">${msg('Open', { id: 'mcp.template-form.open' })}</slot>
        </button>
      </div>
      ${this.#fields.renderPopup()}`;
  }

  get #canGoBack(): boolean {
    const isOther = ({ uriTemplate }: ResourceTemplate): boolean =>
      uriTemplate !== this.#choice.chosen;
    return this.template === undefined && this.#catalog.entries.some(isOther);
  }

  #choose({ uriTemplate }: ResourceTemplate): void {
    this.values = this.#choice.choose(uriTemplate);
    this.#focusFirst = true;
    this.requestUpdate();
  }

  #back(): void {
    this.#choice.leave(this.values);
    this.#chooser.typed = '';
    this.#focusFirst = true;
    this.requestUpdate();
  }

  #change(name: string, value: string): void {
    this.values = { ...this.values, [name]: value };
  }

  #onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    this.submit();
  }

  #focusOn(selector: string, options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus(options);
  }

  #setUri(uri: string): void {
    const root = this.getRootNode() as Document | ShadowRoot;
    const target = this.for ? (root.getElementById?.(this.for) as { uri?: unknown } | null) : null;
    if (target) target.uri = uri;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-template-form': McpTemplateForm;
  }
}

import type { McpClient } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { McpElement } from '../../base/element/mcp-element.js';
import {
  listStates,
  renderBack,
  renderCatalog,
  renderCut,
  renderListError,
} from '../../fields/catalog/render-catalog.js';
import { Chooser, chooserStyles } from '../../fields/options/chooser.js';
import { optionStyles } from '../../fields/options/option-list.js';
import { fieldStyles } from '../../fields/form/fields.styles.js';
import { SchemaForm } from '../../fields/form/schema-form.js';
import { confirmationStyles } from '../../base/element/confirmation.js';
import { renderConnection, renderLoading } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { formatNumber } from '../../base/text/format.js';
import { writeJson } from '../../base/text/json-text.js';
import { Catalog } from '../../reading/catalog.js';
import { othersInWords } from '../../reading/declared.js';
import { blockStyles } from '../../show/blocks/content-blocks.js';
import { CallSteps } from './call-steps.js';
import type { ToolArguments } from './events.js';
import { styles } from './mcp-tool-form.styles.js';
import {
  renderButtons,
  renderLeftOut,
  renderMissing,
  renderOption,
  renderTool,
  textsOf,
  isSameTool,
  mayDestroy,
  usableTools,
  type UsableTool,
} from './tool.js';

/** The part of the arguments that is compared, in UTF-16 code units. */
const MAX_ARGUMENTS_LENGTH = 10_000_000;

/**
 * Calls a tool of the server: a form made from the schema of its arguments, the progress of the
 * call, and its result. Before a call that may overwrite or delete, the user sees the exact values
 * and confirms. Nothing in a result is run, or loaded from elsewhere.
 *
 * Without a `tool`, the user chooses one. Takes its client from `<mcp-provider>` or from its `client`
 * property.
 *
 * @element mcp-tool-form
 * @slot empty - Shown while there is no client, and if the server has no tools.
 * @fires mcp-tool-call - Before a call; cancel it to prevent the call.
 * @fires mcp-tool-result - A call has ended, with a result or an error.
 * @fires mcp-tool-resource - The user chose a link to a resource in a result.
 * @csspart heading - The title of the tool, of the question and of the outcome.
 * @csspart field - A field with its label.
 * @csspart submit - The button that calls the tool, or asks first.
 * @csspart error - A failure to read the tools, or of a call.
 * @csspart connection - The remark about a lost or ended connection.
 * @csspart fields - The fields of the arguments.
 * @csspart confirmation - The question before a call that may overwrite or delete.
 * @csspart arguments - The exact arguments in that question.
 * @csspart progress - The progress of a call.
 * @csspart result - The end of a call.
 * @csspart text - A text in a result.
 * @csspart image - An image in a result.
 * @csspart audio - A sound in a result.
 * @csspart link - A link to a resource in a result.
 * @csspart json - The structured content of a result.
 * @cssstate loading - The tools are being read, and none is there yet.
 * @cssstate empty - The server has no tools.
 * @cssstate error - The tools could not be read.
 * @cssstate reconnecting - The connection is lost; what is shown may be out of date.
 * @cssstate closed - The connection has ended.
 * @cssstate calling - A call waits for its answer.
 * @cssstate confirming - The user is asked to confirm a call.
 */
export class McpToolForm extends McpElement {
  static override readonly styles = [
    theme,
    optionStyles,
    chooserStyles,
    fieldStyles,
    confirmationStyles,
    blockStyles,
    styles,
  ];

  static override readonly properties = {
    tool: {},
    arguments: { attribute: false },
    timeoutMs: { attribute: 'timeout-ms', type: Number },
    apps: {},
    connectApp: { attribute: false },
  };

  /** The name of the tool. Default: none; the user chooses. */
  declare tool: string | undefined;
  /** The values of the form at first, by name. Default: the defaults of the schema. */
  declare arguments: ToolArguments | undefined;
  /**
   * The maximum time for which the server may be silent in a call, in milliseconds. A server that asks its
   * user before it answers needs the time that the user has. Default: 30,000.
   */
  declare timeoutMs: number;
  /**
   * The use of apps. With `off`, results are shown without the app of their tool. Default: with it, if the
   * page has defined `<mcp-app>` and the client has declared to the server that it shows apps.
   */
  declare apps: 'off' | undefined;
  /**
   * Opens a connection for the app of a result, with the access that the app may have: see `connect` of
   * `<mcp-app>`. Default: the app uses the client of the form.
   */
  declare connectApp: (() => Promise<McpClient>) | undefined;

  readonly #catalog = new Catalog<UsableTool>(this, {
    capability: 'tools',
    keyOf: ({ name }) => name,
    textsOf,
    fetchPage: async (client, options) => {
      const page = usableTools(await client.listTools(options));
      this.#unusable = page.unusable + (options.cursor === undefined ? 0 : this.#unusable);
      return page;
    },
    watch: (client, listener, options) => {
      // A server need not report changes.
      client.watchTools(listener, options).ready.catch(() => undefined);
    },
  });
  /** The number of entries of the list that cannot be shown. */
  #unusable = 0;
  readonly #chooser = new Chooser<UsableTool>(this, {
    keyOf: ({ name }) => name,
    textsOf,
    render: renderOption,
    onchoose: ({ name }) => this.#pick(name),
  });
  readonly #form = new SchemaForm(this);
  readonly #steps = new CallSteps(this, {
    connection: this.connection,
    timeoutMs: () => this.timeoutMs,
    showsApps: () => this.apps !== 'off',
    connectApp: () => this.connectApp,
    focus: (selector) => {
      this.#focus = selector;
    },
  });
  #picked: string | undefined;
  /** The client of the shown tool. */
  #source: McpClient | undefined;
  /** The tool in the form. */
  #shown: UsableTool | undefined;
  #listed: readonly UsableTool[] = [];
  #callableTools: readonly UsableTool[] = [];
  #remark = '';
  #focus: string | undefined;

  constructor() {
    super();
    this.timeoutMs = 30_000;
  }

  /** Reads the list of tools again. */
  reload(): void {
    this.#catalog.retry();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#remark = '';
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('arguments') && !isSameValue(changed.get('arguments'), this.arguments))
      this.#shown = undefined;
    this.#catalog.client = this.connection.client;
    this.#catalog.isNeeded = true;
    this.#chooser.update(this.#callable());
    const tool = this.#chosen();
    if (!isSameTool(tool, this.#shown)) this.#show(tool);
    this.#shown = tool;
    this.#updateStates();
  }

  #updateStates(): void {
    this.setState('calling', this.#steps.isCalling);
    this.setState('confirming', this.#steps.isAsking);
    const { client, state } = this.connection;
    const isShown = client !== undefined && !this.#visible;
    for (const [name, isOn] of listStates(this.#catalog, state, isShown)) this.setState(name, isOn);
    this.setState('error', this.#catalog.status === 'error');
  }

  protected override updated(): void {
    if (this.#focus === undefined) return;
    const target = this.renderRoot.querySelector<HTMLElement>(this.#focus);
    this.#focus = undefined;
    target?.focus();
  }

  protected override render(): unknown {
    const { client, state } = this.connection;
    const { status, error } = this.#catalog;
    const shown = this.#visible;
    if (!client || (!shown && this.#catalog.entries.length === 0)) return this.#renderNoTools();
    return html`${renderConnection(state)}
      <div class="body">
        ${status === 'error' ? renderListError(error, this.#retry) : nothing}
        ${shown ? this.#renderShown(shown) : this.#renderNotShown()}
        ${this.tool || this.#picked ? nothing : this.#renderChoice()}
      </div>
      <p class="visually-hidden" role="status">${this.#statusText()}</p>`;
  }

  #renderNoTools(): TemplateResult {
    const { client } = this.connection;
    if (!client)
      return html`<div class="message">
        <slot name="empty"
          >${msg('There is no connection to a server.', { id: 'mcp.tool-form.no-client' })}</slot
        >
      </div>`;
    return renderCatalog(this.#catalog, {
      entries: () => html``,
      empty: html`${msg('This server has no tools.', { id: 'mcp.tool-form.no-tools' })}
      ${othersInWords(client, 'tools')}`,
      onretry: this.#retry,
    });
  }

  get #retry(): (() => void) | undefined {
    return this.connection.state === 'closed' ? undefined : () => this.reload();
  }

  /** The tools that can be called. */
  #callable(): readonly UsableTool[] {
    const { entries } = this.#catalog;
    if (entries !== this.#listed) {
      this.#listed = entries;
      this.#callableTools = entries.filter(({ needsTask }) => !needsTask);
    }
    return this.#callableTools;
  }

  /** The tool that is shown, unless it belongs to another server than the one that is read now. */
  get #visible(): UsableTool | undefined {
    return this.connection.client === this.#source ? this.#shown : undefined;
  }

  #chosen(): UsableTool | undefined {
    const name = this.tool || this.#picked;
    const chosen = this.#catalog.entries.find((tool) => tool.name === name);
    if (chosen) this.#source = this.connection.client;
    // While the list is read again, and after that during a call, the user's input is kept.
    const isBusy = this.#catalog.status !== 'ready' || this.#steps.isCalling;
    const isKept = isBusy && this.#shown?.name === name;
    return chosen ?? (isKept ? this.#shown : undefined);
  }

  #show(tool: UsableTool | undefined): void {
    const isUpdate = tool !== undefined && tool.name === this.#shown?.name;
    if (isUpdate) return this.#update(tool);
    this.#steps.forget();
    this.#remark = '';
    if (tool) this.#form.show(tool.inputSchema, this.arguments);
    else this.#form.clear();
  }

  /** Shows the next version of the tool, with the user's input. */
  #update(tool: UsableTool): void {
    this.#form.update(tool.inputSchema);
    this.#steps.withdraw();
    this.#remark = msg('The server has changed this tool. Check the values again.', {
      id: 'mcp.tool-form.changed',
    });
  }

  #pick(name: string | undefined): void {
    this.#picked = name;
    this.#chooser.typed = '';
    this.#focus = name === undefined ? '.chooser input' : '.tool h3';
    this.requestUpdate();
  }

  #renderChoice(): TemplateResult {
    const callable = this.#callable();
    const label = msg('Choose a tool', { id: 'mcp.tool-form.choose' });
    return html`${callable.length > 0 ? this.#chooser.render(label) : nothing}
    ${renderLeftOut(this.#unusable, this.#catalog.entries.length - callable.length)}
    ${this.#catalog.isCut && this.#catalog.status === 'ready' ? renderCut() : nothing}`;
  }

  /** Renders the message for a tool that is not shown. The wanted tool may still be loading. */
  #renderNotShown(): TemplateResult | typeof nothing {
    const wanted = this.tool || this.#picked;
    if (wanted && this.#catalog.status === 'loading') return renderLoading(6);
    const back = {
      label: msg('Other tools', { id: 'mcp.tool-form.others' }),
      onback: () => this.#pick(undefined),
    };
    return html`${renderMissing(wanted)} ${this.#picked && !this.tool ? renderBack(back) : nothing}`;
  }

  #renderShown(tool: UsableTool): TemplateResult {
    const canLeave = !this.tool && !this.#steps.isBusy;
    return html`${renderTool(tool, canLeave ? () => this.#pick(undefined) : undefined)}
    ${this.#remark ? html`<p class="remark" role="status">${this.#remark}</p>` : nothing}
    ${tool.needsTask ? nothing : this.#renderForm(tool)} ${this.#steps.render(tool)}`;
  }

  #renderForm(tool: UsableTool): TemplateResult {
    return html`<form
      novalidate
      class=${this.#steps.isBusy ? 'away' : ''}
      @submit=${this.#onsubmit}
      @keydown=${this.#onkeydown}
    >
      ${this.#form.render()}
      ${this.connection.state === 'closed' ? nothing : renderButtons(tool, this.#form, this.#steps.outcome !== undefined)}
    </form>`;
  }

  #statusText(): string {
    if (this.#steps.isCalling) return msg('Calling the tool.', { id: 'mcp.tool-form.calling' });
    if (this.#steps.outcome) return this.#steps.outcome.title;
    const count = formatNumber(this.#form.problemCount);
    if (this.#form.problemCount === 0) return '';
    return msg(str`Fields to correct: ${count}`, { id: 'mcp.tool-form.to-correct' });
  }

  /**
   * Sends the form by Control or Command with Enter in a text of several lines, where Enter alone starts a
   * line.
   */
  readonly #onkeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.repeat || !(event.ctrlKey || event.metaKey)) return;
    (event.currentTarget as HTMLFormElement).requestSubmit();
  };

  readonly #onsubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const tool = this.#shown;
    if (!tool || this.#steps.isCalling || this.connection.state === 'closed' || !this.#form.check())
      return;
    this.#remark = '';
    const { value } = this.#form;
    if (mayDestroy(tool.annotations)) this.#steps.ask(value);
    else void this.#steps.start(tool, value);
  };
}

/**
 * Whether two values are the same. Frameworks set another object with the same values each time they render.
 */
function isSameValue(one: unknown, other: unknown): boolean {
  return valuesText(one) === valuesText(other);
}

function valuesText(values: unknown): string {
  return writeJson(values, MAX_ARGUMENTS_LENGTH, 0).text;
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-tool-form': McpToolForm;
  }
}

import { msg, str } from '@lit/localize';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { McpElement } from '../../base/element/mcp-element.js';
import { renderBack } from '../../fields/catalog/render-heading.js';
import { listStates } from '../../fields/catalog/list-states.js';
import { renderCut } from '../../fields/catalog/render-catalog.js';
import { Chooser, chooserStyles } from '../../fields/options/chooser.js';
import { optionStyles } from '../../fields/options/option-list.js';
import { fieldStyles } from '../../fields/form/fields.styles.js';
import { SchemaForm } from '../../fields/form/schema-form.js';
import { longTextStyles } from '../../base/look/long-text.js';
import { renderConnection, renderError, renderLoading } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { formatNumber } from '../../base/text/format.js';
import { writeJson } from '../../base/text/json-text.js';
import { CallSteps, type Question } from './call-steps.js';
import type { ToolArguments } from './events.js';
import { styles } from './mcp-tool-form.styles.js';
import { outcomeTitle, renderOutcome } from './outcome.js';
import { outcomeStyles } from './outcome.styles.js';
import { renderConfirmation } from './render-confirmation.js';
import { renderButtons } from './render-buttons.js';
import { renderEmpty, renderLeftOut, renderMissing } from './render-states.js';
import { renderOption, renderTool, textsOf } from './render-tool.js';
import { ToolList } from './tool-list.js';
import { mayDestroy } from './tool-words.js';
import { isSameTool, type UsableTool } from './usable-tool.js';

/** How much of the arguments is compared, in UTF-16 code units. */
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
    longTextStyles,
    styles,
    outcomeStyles,
  ];

  static override readonly properties = {
    tool: {},
    arguments: { attribute: false },
    timeoutMs: { attribute: 'timeout-ms', type: Number },
  };

  /** The name of the tool. Default: none, the user chooses. */
  declare tool: string | undefined;
  /** The values of the form at first, by name. Default: the defaults of the schema. */
  declare arguments: ToolArguments | undefined;
  /**
   * How long the server may be silent in a call, in milliseconds. A server that asks its user before
   * it answers needs the time that the user has. Default: 30,000.
   */
  declare timeoutMs: number;

  readonly #list = new ToolList(this, () => this.connection.client);
  readonly #chooser = new Chooser<UsableTool>(this, {
    keyOf: ({ name }) => name,
    textsOf,
    render: renderOption,
    onchoose: ({ name }) => this.#pick(name),
  });
  readonly #form = new SchemaForm(this);
  readonly #steps = new CallSteps(this, {
    client: () => this.connection.client,
    timeoutMs: () => this.timeoutMs,
    focus: (selector) => {
      this.#focus = selector;
    },
  });
  #picked: string | undefined;
  /** What the form shows. */
  #shown: UsableTool | undefined;
  #remark = '';
  #focus: string | undefined;

  constructor() {
    super();
    this.timeoutMs = 30_000;
  }

  /** Reads the list of tools again. */
  reload(): void {
    this.#list.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#remark = '';
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('arguments') && !isSameValue(changed.get('arguments'), this.arguments))
      this.#shown = undefined;
    this.#chooser.update(this.#list.callable);
    const tool = this.#chosen();
    if (!isSameTool(tool, this.#shown)) this.#show(tool);
    this.#shown = tool;
    this.#updateStates();
  }

  #updateStates(): void {
    this.setState('calling', this.#steps.call !== undefined);
    this.setState('confirming', this.#steps.question !== undefined);
    const { client, state } = this.connection;
    const { tools, error } = this.#list;
    const status = error !== undefined ? 'error' : tools ? 'ready' : 'loading';
    const isShown = client !== undefined && !this.#shown;
    for (const [name, isOn] of listStates({ entries: tools ?? [], status }, state, isShown))
      this.setState(name, isOn);
    this.setState('error', error !== undefined);
  }

  protected override updated(): void {
    if (this.#focus === undefined) return;
    const target = this.renderRoot.querySelector<HTMLElement>(this.#focus);
    this.#focus = undefined;
    target?.focus();
  }

  protected override render(): unknown {
    const { client, state } = this.connection;
    if (!client) return renderEmpty(client);
    const { tools, error } = this.#list;
    if (!tools) return error === undefined ? renderLoading(6) : this.#renderListError(error);
    if (tools.length === 0 && !this.#shown) return renderEmpty(client);
    return html`${renderConnection(state)}
      <div class="body">
        ${error === undefined ? nothing : this.#renderListError(error)}
        ${this.#shown ? this.#renderShown(this.#shown) : this.#renderNotShown()}
        ${this.tool || this.#picked ? nothing : this.#renderChoice(tools)}
      </div>
      <p class="visually-hidden" role="status">${this.#statusText()}</p>`;
  }

  #chosen(): UsableTool | undefined {
    const name = this.tool || this.#picked;
    const chosen = this.#list.tools?.find((tool) => tool.name === name);
    // A call goes on even if the server removes the tool.
    const isCalled = this.#steps.call !== undefined && this.#shown?.name === name;
    return chosen ?? (isCalled ? this.#shown : undefined);
  }

  #show(tool: UsableTool | undefined): void {
    const isUpdate = tool !== undefined && tool.name === this.#shown?.name;
    if (isUpdate) return this.#update(tool);
    this.#steps.forget();
    this.#remark = '';
    if (tool) this.#form.show(tool.inputSchema, this.arguments);
    else this.#form.clear();
  }

  /** Shows the next version of the tool, with what the user has entered. */
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

  #renderChoice(tools: readonly UsableTool[]): TemplateResult {
    const { callable, unusable, isCut } = this.#list;
    const label = msg('Choose a tool', { id: 'mcp.tool-form.choose' });
    return html`${callable.length > 0 ? this.#chooser.render(label) : nothing}
    ${renderLeftOut(unusable, tools.length - callable.length)} ${isCut ? renderCut() : nothing}`;
  }

  /** The tool that is wanted may still come. */
  #renderNotShown(): TemplateResult | typeof nothing {
    const wanted = this.tool || this.#picked;
    if (wanted && this.#list.isReading) return renderLoading(6);
    return html`${renderMissing(wanted)}
    ${this.#picked && !this.tool ? renderBack({ label: msg('Other tools', { id: 'mcp.tool-form.others' }), onback: () => this.#pick(undefined) }) : nothing}`;
  }

  #renderListError(error: unknown): TemplateResult {
    const isOver = this.connection.state === 'closed';
    return renderError(error, isOver ? undefined : () => this.reload());
  }

  #renderShown(tool: UsableTool): TemplateResult {
    const canLeave = !this.tool && !this.#steps.isBusy;
    return html`${renderTool(tool, canLeave ? () => this.#pick(undefined) : undefined)}
    ${this.#remark ? html`<p class="remark" role="status">${this.#remark}</p>` : nothing}
    ${tool.needsTask ? nothing : this.#renderForm(tool)}
    ${this.#steps.question ? this.#renderQuestion(tool, this.#steps.question) : nothing}
    ${this.#steps.call?.render()}
    ${this.#steps.outcome ? renderOutcome(this.#steps.outcome, tool.annotations.readOnlyHint !== true) : nothing}`;
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

  #renderQuestion(tool: UsableTool, question: Question): TemplateResult {
    return renderConfirmation(tool, question.text, {
      isReady: this.#steps.guard.isOpen && this.connection.state !== 'closed',
      isRead: question.text.isRead && question.isWritten,
      onkeydown: this.#steps.guard.onkeydown,
      confirm: () => void this.#steps.start(tool, question.arguments),
      back: () => this.#steps.goBack(),
      update: () => this.requestUpdate(),
    });
  }

  #statusText(): string {
    if (this.#steps.call) return msg('Calling the tool.', { id: 'mcp.tool-form.calling' });
    if (this.#steps.outcome) return outcomeTitle(this.#steps.outcome);
    const count = formatNumber(this.#form.problemCount);
    if (this.#form.problemCount === 0) return '';
    return msg(str`Fields to correct: ${count}`, { id: 'mcp.tool-form.to-correct' });
  }

  /** In a text of several lines, Enter starts a line: with Control or Command it sends the form. */
  readonly #onkeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.repeat || !(event.ctrlKey || event.metaKey)) return;
    (event.currentTarget as HTMLFormElement).requestSubmit();
  };

  readonly #onsubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const tool = this.#shown;
    if (!tool || this.#steps.call || this.connection.state === 'closed' || !this.#form.check())
      return;
    this.#remark = '';
    const { value } = this.#form;
    if (mayDestroy(tool.annotations)) this.#steps.ask(value);
    else void this.#steps.start(tool, value);
  };
}

/** Frameworks set another object with the same values whenever they render. */
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

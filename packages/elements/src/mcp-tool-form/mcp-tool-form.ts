import type { Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { InputGuard } from '../element/input-guard.js';
import { McpElement } from '../element/mcp-element.js';
import { fieldStyles } from '../fields/fields.styles.js';
import { SchemaForm } from '../fields/schema-form.js';
import { LongText, longTextStyles } from '../look/long-text.js';
import { renderConnection, renderError, renderLoading } from '../look/messages.js';
import { theme } from '../look/theme.js';
import { formatNumber } from '../text/format.js';
import { writeJson } from '../text/json-text.js';
import { visibleText } from '../text/visible-text.js';
import {
  McpToolCallEvent,
  McpToolResourceEvent,
  McpToolResultEvent,
  type ToolArguments,
} from './events.js';
import { styles } from './mcp-tool-form.styles.js';
import { outcomeTitle, renderOutcome, resultOutcome, type Outcome } from './outcome.js';
import { renderConfirmation } from './render-confirmation.js';
import { renderButtons } from './render-buttons.js';
import { renderEmpty, renderMissing, renderUnusable } from './render-states.js';
import { renderChooser, renderTool } from './render-tool.js';
import { RunningCall } from './running-call.js';
import { ToolList } from './tool-list.js';
import { mayDestroy } from './tool-words.js';
import { isSameTool, type UsableTool } from './usable-tool.js';

/** How much of the arguments is shown before a call, in UTF-16 code units. */
const MAX_ARGUMENTS_LENGTH = 10_000_000;

/** A call that waits for the user. */
interface Question {
  readonly arguments: ToolArguments;
  readonly text: LongText;
}

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
 * @cssstate calling - A call waits for its answer.
 * @cssstate confirming - The user is asked to confirm a call.
 */
export class McpToolForm extends McpElement {
  static override readonly styles = [theme, fieldStyles, longTextStyles, styles];

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
  readonly #form = new SchemaForm(this);
  readonly #guard = new InputGuard(this);
  #picked: string | undefined;
  /** What the form shows. */
  #shown: UsableTool | undefined;
  #question: Question | undefined;
  #call: RunningCall | undefined;
  #outcome: Outcome | undefined;
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
    this.#forget();
    this.#shown = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('arguments') && !isSameValue(changed.get('arguments'), this.arguments))
      this.#shown = undefined;
    const tool = this.#chosen();
    if (!isSameTool(tool, this.#shown)) this.#show(tool);
    this.#shown = tool;
    this.setState('calling', this.#call !== undefined);
    this.setState('confirming', this.#question !== undefined);
  }

  protected override updated(): void {
    if (this.#focus === undefined) return;
    const target = this.renderRoot.querySelector<HTMLElement>(this.#focus);
    this.#focus = undefined;
    target?.focus();
  }

  protected override render(): unknown {
    const { client, state } = this.connection;
    if (!client) return renderEmpty(client !== undefined);
    const { tools, error } = this.#list;
    if (!tools) return error === undefined ? renderLoading(6) : this.#renderListError(error);
    if (tools.length === 0 && !this.#shown) return renderEmpty(client !== undefined);
    return html`${renderConnection(state)}
      <div class="body">
        ${this.tool ? nothing : renderChooser(tools, this.#picked, this.#pick, this.#call !== undefined)}
        ${this.#shown ? this.#renderShown(this.#shown) : renderMissing(this.tool || this.#picked)}
        ${this.tool ? nothing : renderUnusable(this.#list.unusable)}
      </div>
      <p class="visually-hidden" role="status">${this.#statusText()}</p>`;
  }

  #chosen(): UsableTool | undefined {
    const name = this.tool || this.#picked;
    const chosen = this.#list.tools?.find((tool) => tool.name === name);
    // A call goes on even if the server removes the tool.
    const isCalled = this.#call !== undefined && this.#shown?.name === name;
    return chosen ?? (isCalled ? this.#shown : undefined);
  }

  /** Shows a tool, or its next version: with the values that the user has entered. */
  #show(tool: UsableTool | undefined): void {
    const isUpdate = tool !== undefined && tool.name === this.#shown?.name;
    const value = isUpdate ? this.#form.value : this.arguments;
    if (isUpdate) this.#withdrawQuestion();
    else this.#forget();
    this.#shown = tool;
    if (tool) this.#form.show(tool.inputSchema, value);
    else this.#form.clear();
  }

  #withdrawQuestion(): void {
    this.#question = undefined;
    this.#remark = msg('The server has changed this tool. Check the values again.', {
      id: 'mcp.tool-form.changed',
    });
  }

  /** Ends what belongs to the tool that was shown. */
  #forget(): void {
    this.#call?.cancel();
    this.#call = undefined;
    this.#question = undefined;
    this.#remark = '';
    this.#setOutcome(undefined);
  }

  #setOutcome(outcome: Outcome | undefined): void {
    if (this.#outcome?.kind === 'result') this.#outcome.result.dispose();
    this.#outcome = outcome;
  }

  readonly #pick = (name: string): void => {
    this.#picked = name;
    this.requestUpdate();
  };

  #renderListError(error: unknown): TemplateResult {
    const isOver = this.connection.state === 'closed';
    return renderError(error, isOver ? undefined : () => this.reload());
  }

  #renderShown(tool: UsableTool): TemplateResult {
    return html`${renderTool(tool)}
    ${this.#remark ? html`<p class="remark" role="status">${this.#remark}</p>` : nothing}
    ${this.#renderForm(tool)}
    ${this.#question ? this.#renderQuestion(tool, this.#question) : nothing} ${this.#call?.render()}
    ${this.#outcome ? renderOutcome(this.#outcome, tool.annotations.readOnlyHint !== true) : nothing}`;
  }

  #renderForm(tool: UsableTool): TemplateResult {
    const isBusy = this.#question !== undefined || this.#call !== undefined;
    return html`<form
      novalidate
      ?hidden=${isBusy}
      @submit=${this.#onsubmit}
      @keydown=${this.#onkeydown}
    >
      ${this.#form.render()}
      ${this.connection.state === 'closed' ? nothing : renderButtons(tool, this.#form, this.#outcome !== undefined)}
    </form>`;
  }

  #renderQuestion(tool: UsableTool, question: Question): TemplateResult {
    return renderConfirmation(tool, question.text, {
      mayConfirm: this.#guard.isOpen && this.connection.state !== 'closed',
      onkeydown: this.#guard.onkeydown,
      confirm: () => void this.#start(tool, question.arguments),
      back: () => this.#goBack(),
      update: () => this.requestUpdate(),
    });
  }

  #statusText(): string {
    if (this.#call) return msg('Calling the tool.', { id: 'mcp.tool-form.calling' });
    if (this.#outcome) return outcomeTitle(this.#outcome);
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
    if (!tool || this.#call || this.connection.state === 'closed' || !this.#form.check()) return;
    this.#remark = '';
    const { value } = this.#form;
    if (mayDestroy(tool.annotations)) this.#ask(value);
    else void this.#start(tool, value);
  };

  #ask(value: ToolArguments): void {
    const text = new LongText(visibleText(argumentsText(value)));
    this.#question = { arguments: value, text };
    this.#setOutcome(undefined);
    this.#guard.start();
    this.#focus = '#question';
  }

  #goBack(): void {
    this.#question = undefined;
    this.#focus = 'button.call';
    this.requestUpdate();
  }

  async #start(tool: UsableTool, value: ToolArguments): Promise<void> {
    const { client } = this.connection;
    if (!client || this.#call) return;
    if (!this.dispatchEvent(new McpToolCallEvent(tool.name, structuredClone(value))))
      return this.#goBack();
    const onchange = (): void => this.requestUpdate();
    const parts = {
      client,
      tool: tool.name,
      arguments: value,
      timeoutMs: this.timeoutMs,
      onchange,
    };
    const call = new RunningCall(parts);
    this.#question = undefined;
    this.#setOutcome(undefined);
    this.#call = call;
    this.#focus = 'button.cancel';
    this.requestUpdate();
    await this.#finish(call, tool, value);
  }

  async #finish(call: RunningCall, tool: UsableTool, value: ToolArguments): Promise<void> {
    try {
      const result = await call.run();
      this.#end(call, resultOutcome(result, this.#resultActions));
      this.dispatchEvent(new McpToolResultEvent(tool.name, value, { result }));
    } catch (error) {
      this.#end(call, call.isCancelled ? { kind: 'cancelled' } : { kind: 'error', error });
      this.dispatchEvent(new McpToolResultEvent(tool.name, value, { error }));
    }
  }

  #end(call: RunningCall, outcome: Outcome): void {
    // The user may be at another tool.
    if (call !== this.#call) return disposeOf(outcome);
    this.#call = undefined;
    this.#setOutcome(outcome);
    const isHere = this.renderRoot.querySelector('button.cancel')?.matches(':focus') === true;
    if (isHere) this.#focus = '#outcome';
    this.requestUpdate();
  }

  readonly #resultActions = {
    update: (): void => this.requestUpdate(),
    open: (resource: Resource): void => {
      this.dispatchEvent(new McpToolResourceEvent(resource));
    },
  };
}

/** Frameworks set another object with the same values whenever they render. */
function isSameValue(one: unknown, other: unknown): boolean {
  return argumentsText(one, 0) === argumentsText(other, 0);
}

function argumentsText(values: unknown, indent?: number): string {
  return writeJson(values, MAX_ARGUMENTS_LENGTH, indent).text;
}

function disposeOf(outcome: Outcome): void {
  if (outcome.kind === 'result') outcome.result.dispose();
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-tool-form': McpToolForm;
  }
}

import type { CallToolResult, McpClient, Progress, Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import { Confirmation } from '../../base/element/confirmation.js';
import type { Connection } from '../../base/element/connection.js';
import { icon, warningIcon } from '../../base/look/icons.js';
import { formatTimeLimit } from '../../base/text/duration.js';
import { formatNumber } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { translateText } from '../../base/text/translate-text.js';
import {
  McpToolCallEvent,
  McpToolResourceEvent,
  McpToolResultEvent,
  type ToolArguments,
} from './events.js';
import { fieldsOf } from '../../reading/gate.js';
import { Outcome } from './outcome.js';
import { effectsOf, type UsableTool } from './tool.js';

/** The parts of the element that the steps need. */
export interface CallStepsOptions {
  connection: Connection;
  timeoutMs: () => number;
  /** Whether a result is shown with the app of its tool. */
  showsApps: () => boolean;
  /** Returns the function that opens a connection for such an app. */
  connectApp: () => (() => Promise<McpClient>) | undefined;
  /** Moves the focus after the next rendering. */
  focus: (selector: string) => void;
}

/** The steps of a call: the question, the call, and its outcome; one at a time. */
export class CallSteps implements ReactiveController {
  readonly #host: LitElement;
  readonly #options: CallStepsOptions;
  readonly #confirmation: Confirmation;
  #question: ToolArguments | undefined;
  #call: RunningCall | undefined;
  /** The end of the last call. */
  outcome: Outcome | undefined;
  /** The answer to the last call, unless the tool reports an error. */
  #answered: { values: ToolArguments; result: CallToolResult } | undefined;

  constructor(host: LitElement, options: CallStepsOptions) {
    this.#host = host;
    this.#options = options;
    this.#confirmation = new Confirmation(host);
    host.addController(this);
  }

  hostDisconnected(): void {
    this.forget();
  }

  /** Whether the user is asked before a call that may overwrite or delete. */
  get isAsking(): boolean {
    return this.#question !== undefined;
  }

  /** Whether a call waits for its answer. */
  get isCalling(): boolean {
    return this.#call !== undefined;
  }

  /** Whether the form is not needed at the moment. */
  get isBusy(): boolean {
    return this.isAsking || this.isCalling;
  }

  /** Cancels the call, and drops the question and the outcome. */
  forget(): void {
    this.#call?.cancel();
    this.#call = undefined;
    this.#question = undefined;
    this.#setOutcome(undefined);
  }

  /** Asks the user whether to call the tool with these values. */
  ask(values: ToolArguments): void {
    this.#question = values;
    this.#confirmation.start({ values });
    this.#setOutcome(undefined);
    this.#options.focus('#question');
  }

  /** Withdraws the question. If the focus is in it, the button that asks again gets it. */
  withdraw(): void {
    if (this.#host.shadowRoot?.activeElement?.closest('.confirmation'))
      this.#options.focus('button.call');
    this.#question = undefined;
    this.#host.requestUpdate();
  }

  /** Calls the tool, unless a listener prevents that. */
  async start(tool: UsableTool, values: ToolArguments): Promise<void> {
    const { client } = this.#options.connection;
    if (!client || this.#call) return;
    if (!this.#host.dispatchEvent(new McpToolCallEvent(tool.name, structuredClone(values))))
      return this.#goBack();
    const call = new RunningCall(this.#options.timeoutMs(), () => this.#host.requestUpdate());
    this.forget();
    this.#call = call;
    this.#options.focus('button.cancel');
    this.#host.requestUpdate();
    let result: CallToolResult | undefined;
    let error: unknown;
    try {
      result = await call.run(client, tool.name, values);
      this.#end(call, new Outcome(this.#resultActions, { result }), { values, result });
    } catch (reason) {
      result = undefined;
      error = reason;
      this.#end(call, new Outcome(this.#resultActions, { error, isCancelled: call.isCancelled }));
    }
    this.#host.dispatchEvent(new McpToolResultEvent(tool.name, values, { result, error }));
  }

  render(tool: UsableTool): TemplateResult {
    return html`${this.#question ? this.#renderQuestion(tool, this.#question) : nothing}
    ${this.#call?.render()}
    ${this.#renderApp(tool) ?? this.outcome?.render(tool.annotations.readOnlyHint !== true)}`;
  }

  /**
   * Renders the app of a result, if the page has defined the element for it. That element also has the result
   * as text.
   */
  #renderApp({ name, hasApp }: UsableTool): TemplateResult | undefined {
    const { values, result } = this.#answered ?? {};
    if (!result || !hasApp || !this.#options.showsApps() || !customElements.get('mcp-app'))
      return undefined;
    const { client } = this.#options.connection;
    return html`<mcp-app
      tabindex="-1"
      part="result"
      .client=${client}
      .connect=${this.#options.connectApp()}
      .tool=${name}
      .arguments=${values}
      .result=${result}
    ></mcp-app>`;
  }

  /** The second step of a call that may overwrite or delete: the exact values, and yes or no. */
  #renderQuestion(tool: UsableTool, values: ToolArguments): TemplateResult {
    const title = translateText(tool.title);
    const [effect] = effectsOf(tool.annotations);
    const keydown = (event: KeyboardEvent): void => {
      this.#confirmation.onkeydown(event);
      if (event.key === 'Escape') this.#goBack();
    };
    const yes = msg(str`Yes, call “${title}”`, { id: 'mcp.tool-form.confirm' });
    const isClosed = this.#options.connection.state === 'closed';
    return html`<section
      class="confirmation"
      part="confirmation"
      aria-labelledby="question"
      @keydown=${keydown}
    >
      <h3 id="question" part="heading" tabindex="-1">
        ${icon(warningIcon)}
        <span
          >${msg(str`Call “${title}” with these values?`, { id: 'mcp.tool-form.question' })}</span
        >
      </h3>
      <p>${effect}</p>
      ${this.#confirmation.renderTexts()} ${this.#confirmation.renderUnread()}
      <div class="buttons">
        ${this.#confirmation.renderYes('primary danger confirm', yes, () => void this.start(tool, values), !isClosed)}
        <button type="button" class="back" @click=${() => this.#goBack()}>
          ${msg('Back', { id: 'mcp.tool-form.back' })}
        </button>
      </div>
    </section>`;
  }

  /** Goes back from the question to the form. */
  #goBack(): void {
    this.withdraw();
    this.#options.focus('button.call');
  }

  #end(
    call: RunningCall,
    outcome: Outcome,
    answered?: { values: ToolArguments; result: CallToolResult },
  ): void {
    // The user may already be at another tool.
    if (call !== this.#call) return outcome.dispose();
    this.#call = undefined;
    this.#setOutcome(outcome);
    // A client that checks nothing may deliver any value.
    const { content, isError } = fieldsOf(answered?.result);
    if (Array.isArray(content) && isError !== true) this.#answered = answered;
    const isHere = this.#host.renderRoot.querySelector('button.cancel')?.matches(':focus') === true;
    if (isHere) this.#options.focus('#outcome, mcp-app');
    this.#host.requestUpdate();
  }

  #setOutcome(outcome: Outcome | undefined): void {
    this.outcome?.dispose();
    this.outcome = outcome;
    this.#answered = undefined;
  }

  readonly #resultActions = {
    update: (): void => this.#host.requestUpdate(),
    open: (resource: Resource): void => {
      this.#host.dispatchEvent(new McpToolResourceEvent(resource));
    },
  };
}

/** A call that waits for its answer, with its progress, and a function that cancels it. */
class RunningCall {
  readonly #timeoutMs: number;
  readonly #onchange: () => void;
  readonly #work = new AbortController();
  #progress: Progress | undefined;
  #frame: number | undefined;

  /** @param onchange Called when the progress has changed; at most once a frame. */
  constructor(timeoutMs: number, onchange: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#onchange = onchange;
  }

  /** Whether the call was cancelled by the user, or by the removal of the element. */
  get isCancelled(): boolean {
    return this.#work.signal.aborted;
  }

  /** Makes the call. Rejects as `McpClient.callTool` does. */
  async run(client: McpClient, tool: string, values: ToolArguments): Promise<CallToolResult> {
    try {
      return await client.callTool(
        tool,
        { ...values },
        {
          signal: this.#work.signal,
          timeoutMs: this.#timeoutMs,
          onprogress: (progress) => this.#show(progress),
        },
      );
    } finally {
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    }
  }

  cancel(): void {
    this.#work.abort();
  }

  render(): TemplateResult {
    const time = formatTimeLimit(this.#timeoutMs);
    return html`<div class="running" part="progress">
      ${this.#renderBar()}
      <p class="facts">
        ${msg(str`The call ends if the server reports nothing for this time: ${time}`, {
          id: 'mcp.tool-form.timeout',
        })}
      </p>
      <button type="button" class="cancel" @click=${() => this.cancel()}>
        ${msg('Cancel', { id: 'mcp.drop.cancel' })}
      </button>
    </div>`;
  }

  #renderBar(): TemplateResult {
    const { total, progress, message } = this.#progress ?? {};
    const isKnown = isAmount(total) && total > 0 && isAmount(progress);
    const label = msg('Progress', { id: 'mcp.tool-form.progress' });
    const [done, all] = isKnown ? [formatNumber(progress), formatNumber(total)] : [];
    return html`<progress
        aria-label=${label}
        max=${isKnown ? total : nothing}
        value=${isKnown ? Math.min(progress, total) : nothing}
      ></progress>
      <p class="progress-text">
        <bdi>${truncateText(message ?? '')}</bdi>${
          isKnown
            ? html` <span>${msg(str`${done} of ${all}`, { id: 'mcp.tool-form.amounts' })}</span>`
            : nothing
        }
      </p>`;
  }

  #show(progress: Progress): void {
    this.#progress = progress;
    // A server may report more often than the browser draws.
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#onchange();
    });
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

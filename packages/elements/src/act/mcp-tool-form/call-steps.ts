import type { CallToolResult, McpClient, Resource } from '@inpage-mcp/client';
import type { LitElement, ReactiveController } from 'lit';
import { InputGuard } from '../../base/element/input-guard.js';
import { LongText } from '../../base/look/long-text.js';
import { writeJson } from '../../base/text/json-text.js';
import {
  McpToolCallEvent,
  McpToolResourceEvent,
  McpToolResultEvent,
  type ToolArguments,
} from './events.js';
import { disposeOutcome, resultOutcome, type Outcome } from './outcome.js';
import { RunningCall } from './running-call.js';
import type { UsableTool } from './tool.js';

/** How much of the arguments is shown before a call, in UTF-16 code units. */
const MAX_ARGUMENTS_LENGTH = 10_000_000;

/** A call that waits for the user. */
export interface Question {
  readonly arguments: ToolArguments;
  readonly text: LongText;
  /** Whether all of the arguments are in the text. */
  readonly isWritten: boolean;
}

/** What the steps need from the element. */
export interface CallStepsOptions {
  client: () => McpClient | undefined;
  timeoutMs: () => number;
  /** Moves the focus after the next rendering. */
  focus: (selector: string) => void;
}

/** The steps of a call: the question, the call, and its outcome; one at a time. */
export class CallSteps implements ReactiveController {
  readonly #host: LitElement;
  readonly #options: CallStepsOptions;
  readonly #guard: InputGuard;
  #question: Question | undefined;
  #call: RunningCall | undefined;
  #outcome: Outcome | undefined;

  constructor(host: LitElement, options: CallStepsOptions) {
    this.#host = host;
    this.#options = options;
    this.#guard = new InputGuard(host);
    host.addController(this);
  }

  hostDisconnected(): void {
    this.forget();
  }

  /** The question before a call that may overwrite or delete. */
  get question(): Question | undefined {
    return this.#question;
  }

  /** Protects that question from keys and clicks that were meant for something else. */
  get guard(): InputGuard {
    return this.#guard;
  }

  /** The call that waits for its answer. */
  get call(): RunningCall | undefined {
    return this.#call;
  }

  /** How the last call has ended. */
  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** Whether the form is not needed now. */
  get isBusy(): boolean {
    return this.#question !== undefined || this.#call !== undefined;
  }

  /** Cancels the call, and drops the question and the outcome. */
  forget(): void {
    this.#call?.cancel();
    this.#call = undefined;
    this.#question = undefined;
    this.#setOutcome(undefined);
  }

  /** Asks the user whether to call the tool with these values. */
  ask(value: ToolArguments): void {
    const { text, isWhole } = writeJson(value, MAX_ARGUMENTS_LENGTH);
    this.#question = { arguments: value, text: new LongText(text), isWritten: isWhole };
    this.#setOutcome(undefined);
    this.#guard.start();
    this.#options.focus('#question');
  }

  /** Withdraws the question. */
  withdraw(): void {
    this.#question = undefined;
    this.#host.requestUpdate();
  }

  /** Goes back from the question to the form. */
  goBack(): void {
    this.withdraw();
    this.#options.focus('button.call');
  }

  /** Calls the tool, unless a listener prevents that. */
  async start(tool: UsableTool, value: ToolArguments): Promise<void> {
    const client = this.#options.client();
    if (!client || this.#call) return;
    if (!this.#host.dispatchEvent(new McpToolCallEvent(tool.name, structuredClone(value))))
      return this.goBack();
    const timeoutMs = this.#options.timeoutMs();
    const onchange = (): void => this.#host.requestUpdate();
    const call = new RunningCall({
      client,
      tool: tool.name,
      arguments: value,
      timeoutMs,
      onchange,
    });
    this.forget();
    this.#call = call;
    this.#options.focus('button.cancel');
    this.#host.requestUpdate();
    await this.#finish(call, tool, value);
  }

  async #finish(call: RunningCall, tool: UsableTool, value: ToolArguments): Promise<void> {
    let result: CallToolResult | undefined;
    let error: unknown;
    try {
      result = await call.run();
      this.#end(call, resultOutcome(result, this.#resultActions));
    } catch (reason) {
      result = undefined;
      error = reason;
      this.#end(call, call.isCancelled ? { kind: 'cancelled' } : { kind: 'error', error });
    }
    this.#host.dispatchEvent(new McpToolResultEvent(tool.name, value, { result, error }));
  }

  #end(call: RunningCall, outcome: Outcome): void {
    // The user may be at another tool.
    if (call !== this.#call) return disposeOutcome(outcome);
    this.#call = undefined;
    this.#setOutcome(outcome);
    const isHere = this.#host.renderRoot.querySelector('button.cancel')?.matches(':focus') === true;
    if (isHere) this.#options.focus('#outcome');
    this.#host.requestUpdate();
  }

  #setOutcome(outcome: Outcome | undefined): void {
    if (this.#outcome) disposeOutcome(this.#outcome);
    this.#outcome = outcome;
  }

  readonly #resultActions = {
    update: (): void => this.#host.requestUpdate(),
    open: (resource: Resource): void => {
      this.#host.dispatchEvent(new McpToolResourceEvent(resource));
    },
  };
}

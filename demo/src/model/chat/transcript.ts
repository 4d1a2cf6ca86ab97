import { html, type TemplateResult } from 'lit';

/** What the model did over MCP. */
export interface ToolCall {
  readonly by: 'call';
  readonly name: string;
  /** The arguments, as JSON. */
  readonly input: string;
  /** The text of the answer; absent while there is none. */
  output: string | undefined;
  hasFailed: boolean;
}

/** What stands in the chat, from top to bottom. */
export type ChatLine =
  | { readonly by: 'user' | 'assistant'; text: string }
  /** What became of a question: a failure, or the tokens. */
  | { readonly by: 'failure' | 'cost' | 'notice'; readonly text: string }
  | ToolCall;

/** The lines of a chat with a model, while they are written. */
export class Transcript {
  readonly lines: ChatLine[] = [];
  readonly #onChange: () => void;

  /** @param onChange Called after each change. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  add(line: ChatLine): void {
    this.lines.push(line);
    this.#onChange();
  }

  /** Adds words to what the model is saying. */
  stream(words: string): void {
    const last = this.lines.at(-1);
    if (last?.by === 'assistant') last.text += words;
    else this.lines.push({ by: 'assistant', text: words });
    this.#onChange();
  }

  /** Adds a call without an answer. Returns what takes the answer. */
  call(name: string, input: unknown): (output: string, hasFailed: boolean) => void {
    const line: ToolCall = {
      by: 'call',
      name,
      input: JSON.stringify(input, undefined, 2),
      output: undefined,
      hasFailed: false,
    };
    this.add(line);
    return (output, hasFailed) => {
      Object.assign(line, { output, hasFailed });
      this.#onChange();
    };
  }
}

/** All words of a model are text: no markup, and no link that could be clicked. */
export function renderLine(line: ChatLine): TemplateResult {
  if (line.by === 'call') return renderCall(line);
  // In one line: the white space of what a model says is shown.
  return html`<li class=${line.by}>${line.text}</li>`;
}

function renderCall({ name, input, output, hasFailed }: ToolCall): TemplateResult {
  const state = output === undefined ? ' …' : hasFailed ? ' · failed' : '';
  return html`<li class="call">
    <details>
      <summary><code>tools/call ${name}</code>${state}</summary>
      <pre>${input}</pre>
      ${output === undefined ? html`<p>No answer yet. If it changes something, the page asks you.</p>` : html`<pre>${output}</pre>`}
    </details>
  </li>`;
}

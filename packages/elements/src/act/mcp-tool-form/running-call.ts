import type { CallToolResult, McpClient, Progress } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatTimeLimit } from '../../base/text/duration.js';
import { formatNumber } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { ToolArguments } from './events.js';

/** What a call needs. */
export interface CallParts {
  readonly client: McpClient;
  readonly tool: string;
  readonly arguments: ToolArguments;
  readonly timeoutMs: number;
  /** Called when the progress has changed; at most once a frame. */
  onchange(): void;
}

/** A call that waits for its answer: its progress, and the way to cancel it. */
export class RunningCall {
  readonly #parts: CallParts;
  readonly #work = new AbortController();
  #progress: Progress | undefined;
  #frame: number | undefined;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  /** Whether the user, or the end of the element, has cancelled it. */
  get isCancelled(): boolean {
    return this.#work.signal.aborted;
  }

  /** Rejects as `McpClient.callTool` does. */
  async run(): Promise<CallToolResult> {
    const { client, tool, timeoutMs } = this.#parts;
    const { signal } = this.#work;
    const onprogress = (progress: Progress): void => this.#show(progress);
    try {
      const options = { signal, timeoutMs, onprogress };
      return await client.callTool(tool, { ...this.#parts.arguments }, options);
    } finally {
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    }
  }

  cancel(): void {
    this.#work.abort();
  }

  render(): TemplateResult {
    const time = formatTimeLimit(this.#parts.timeoutMs);
    return html`<div class="running" part="progress">
      ${this.#renderBar()}
      <p class="facts">
        ${msg(str`The call ends if the server reports nothing for this time: ${time}`, {
          id: 'mcp.tool-form.timeout',
        })}
      </p>
      <button type="button" class="cancel" @click=${() => this.cancel()}>
        ${msg('Cancel', { id: 'mcp.tool-form.cancel' })}
      </button>
    </div>`;
  }

  #renderBar(): TemplateResult {
    const { total, progress, message } = this.#progress ?? {};
    const isKnown = isAmount(total) && total > 0 && isAmount(progress);
    const label = msg('Progress', { id: 'mcp.tool-form.progress' });
    const text = typeof message === 'string' ? truncateText(message) : '';
    return html`<progress
        aria-label=${label}
        max=${isKnown ? total : nothing}
        value=${isKnown ? Math.min(progress, total) : nothing}
      ></progress>
      <p class="progress-text">
        <bdi>${text}</bdi>${isKnown ? html` <span>${amounts(progress, total)}</span>` : nothing}
      </p>`;
  }

  #show(progress: Progress): void {
    this.#progress = progress;
    // A server may report more often than the browser draws.
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#parts.onchange();
    });
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function amounts(progress: number, total: number): string {
  const [done, all] = [formatNumber(progress), formatNumber(total)];
  return msg(str`${done} of ${all}`, { id: 'mcp.tool-form.amounts' });
}

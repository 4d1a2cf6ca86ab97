import type { CallToolResult } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { checkIcon, icon, warningIcon } from '../../base/look/icons.js';
import { LongText } from '../../base/look/long-text.js';
import { renderError } from '../../base/look/messages.js';
import { formatNumber } from '../../base/text/format.js';
import { writeJson } from '../../base/text/json-text.js';
import { amountOf, codeOf, fieldsOf, usableBlock, usableEntries } from '../../reading/gate.js';
import { BlockList, type BlockActions } from '../../show/blocks/content-blocks.js';

/** The part of the structured content that is written, in UTF-16 code units. */
const MAX_JSON_LENGTH = 1_000_000;

/** The end of a call: a result, which is shown without running or loading anything, or a failure. */
export class Outcome {
  readonly #kind: 'result' | 'tool-error' | 'error' | 'cancelled';
  readonly #error: unknown;
  readonly #actions: BlockActions;
  #blocks: BlockList | undefined;
  #structured: LongText | undefined;
  #isStructuredWhole = true;
  /** The number of parts that cannot be shown. */
  #unusable = 0;

  constructor(
    actions: BlockActions,
    end: { result: CallToolResult } | { error: unknown; isCancelled: boolean },
  ) {
    this.#actions = actions;
    if ('result' in end) {
      this.#kind = fieldsOf(end.result)['isError'] === true ? 'tool-error' : 'result';
      this.#take(end.result);
    } else {
      this.#kind = end.isCancelled ? 'cancelled' : 'error';
      this.#error = end.error;
    }
  }

  #take(result: CallToolResult): void {
    const { content = [], structuredContent, unusable } = fieldsOf(result);
    const [blocks, lost] = Array.isArray(content) ? usableEntries(content, usableBlock) : [[], 1];
    this.#unusable = (amountOf(unusable) ?? 0) + lost;
    let shown = blocks;
    if (structuredContent !== undefined) {
      const { text, isWhole } = writeJson(structuredContent, MAX_JSON_LENGTH);
      this.#structured = new LongText(text);
      this.#isStructuredWhole = isWhole;
      // Servers send the same data again as a text, for clients that do not support structured content.
      const compact = writeJson(structuredContent, MAX_JSON_LENGTH, 0);
      shown = blocks.filter(
        (block) => block.type !== 'text' || !compact.isWhole || block.text !== compact.text,
      );
    }
    this.#blocks = new BlockList(shown, this.#actions);
  }

  /** Releases its parts. Must be called when it is no longer shown. */
  dispose(): void {
    this.#blocks?.dispose();
  }

  /** The result of the call in one sentence. */
  get title(): string {
    switch (this.#kind) {
      case 'cancelled':
        return msg('You have cancelled the call.', { id: 'mcp.tool-form.cancelled' });
      case 'error':
        return msg('The call has failed.', { id: 'mcp.tool-form.failed' });
      case 'tool-error':
        return msg('The tool reports an error.', { id: 'mcp.tool-form.tool-error' });
      case 'result':
        return msg('The tool has answered.', { id: 'mcp.tool-form.answered' });
    }
  }

  /**
   * Renders the outcome.
   *
   * @param mayHaveChanged Whether the tool may have changed data, even without an answer.
   */
  render(mayHaveChanged: boolean): TemplateResult {
    const isGood = this.#kind === 'result';
    const colour = isGood ? 'good' : this.#kind === 'cancelled' ? '' : 'bad';
    return html`<section class="outcome" part="result" aria-labelledby="outcome">
      <h3 id="outcome" part="heading" class=${colour} tabindex="-1">
        ${icon(isGood ? checkIcon : warningIcon)} ${this.title}
      </h3>
      ${this.#blocks ? this.#renderResult(this.#blocks) : this.#renderFailure(mayHaveChanged)}
    </section>`;
  }

  #renderFailure(mayHaveChanged: boolean): TemplateResult {
    const isUncertain = this.#kind === 'cancelled' || isLost(this.#error);
    const remark = msg('The tool may have run nevertheless, and may have made changes.', {
      id: 'mcp.tool-form.uncertain',
    });
    return html`${this.#kind === 'error' ? renderError(this.#error) : nothing}
    ${isUncertain && mayHaveChanged ? html`<p class="facts">${remark}</p>` : nothing}`;
  }

  #renderResult(blocks: BlockList): TemplateResult {
    const isEmpty = blocks.length === 0 && !this.#structured && this.#unusable === 0;
    const count = formatNumber(this.#unusable);
    const noContent = msg('The tool has returned no content.', { id: 'mcp.tool-form.no-content' });
    return html`${blocks.shown.map((block) => html`<div class="block">${block.render()}</div>`)}
    ${blocks.renderMore()}
    ${this.#structured ? this.#renderStructured(this.#structured, blocks.length === 0) : nothing}
    ${isEmpty ? html`<p class="facts">${noContent}</p>` : nothing}
    ${
      this.#unusable > 0
        ? html`<p class="facts" role="note">
            ${msg(str`Parts that cannot be shown: ${count}`, { id: 'mcp.tool-form.unusable' })}
          </p>`
        : nothing
    }`;
  }

  #renderStructured(json: LongText, isOpen: boolean): TemplateResult {
    const cut = msg('It is too long to be shown whole.', { id: 'mcp.tool-form.cut' });
    return html`<details class="structured" ?open=${isOpen}>
      <summary>${msg('Structured content', { id: 'mcp.tool-form.structured' })}</summary>
      <div class="json" part="json" dir="ltr">${json.render()}</div>
      ${json.renderMore(() => this.#actions.update())}
      ${this.#isStructuredWhole ? nothing : html`<p class="facts">${cut}</p>`}
    </details>`;
  }
}

/** Whether no answer was received, although the request may have arrived. */
function isLost(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'timeout' || code === 'connection-lost' || code === 'closed';
}

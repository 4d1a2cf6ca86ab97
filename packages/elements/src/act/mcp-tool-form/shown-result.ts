import type { CallToolResult } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { LongText } from '../../base/look/long-text.js';
import { formatNumber } from '../../base/text/format.js';
import { writeJson } from '../../base/text/json-text.js';
import { amountOf, fieldsOf, usableBlock, usableEntries } from '../../reading/gate.js';
import { BlockList, type BlockActions } from '../../show/blocks/content-blocks.js';

/** How much of the structured content is written, in UTF-16 code units. */
const MAX_JSON_LENGTH = 1_000_000;

/** The result of a tool, shown without running or loading anything. */
export class ShownResult {
  readonly isError: boolean;
  readonly #blocks: BlockList;
  readonly #structured: LongText | undefined;
  readonly #isStructuredWhole: boolean = true;
  /** How many parts cannot be shown. */
  readonly #unusable: number;
  readonly #actions: BlockActions;

  constructor(result: CallToolResult, actions: BlockActions) {
    const { content = [], structuredContent, isError, unusable } = fieldsOf(result);
    const [blocks, lost] = Array.isArray(content) ? usableEntries(content, usableBlock) : [[], 1];
    this.isError = isError === true;
    this.#actions = actions;
    this.#unusable = (amountOf(unusable) ?? 0) + lost;
    let shown = blocks;
    if (structuredContent !== undefined) {
      const { text, isWhole } = writeJson(structuredContent, MAX_JSON_LENGTH);
      this.#structured = new LongText(text);
      this.#isStructuredWhole = isWhole;
      // Servers send the same again as a text, for clients that know no structured content.
      const compact = writeJson(structuredContent, MAX_JSON_LENGTH, 0);
      shown = blocks.filter(
        (block) => block.type !== 'text' || !compact.isWhole || block.text !== compact.text,
      );
    }
    this.#blocks = new BlockList(shown, actions);
  }

  /** To be called when it is no longer shown. */
  dispose(): void {
    this.#blocks.dispose();
  }

  render(): TemplateResult {
    const isEmpty = this.#blocks.length === 0 && !this.#structured && this.#unusable === 0;
    const count = formatNumber(this.#unusable);
    return html`${this.#blocks.shown.map((block) => html`<div class="block">${block.render()}</div>`)}
    ${this.#blocks.renderMore()}
    ${this.#structured ? this.#renderStructured(this.#structured) : nothing}
    ${
      isEmpty
        ? html`<p class="facts">
            ${msg('The tool has returned no content.', { id: 'mcp.tool-form.no-content' })}
          </p>`
        : nothing
    }
    ${
      this.#unusable > 0
        ? html`<p class="facts" role="note">
            ${msg(str`Parts that cannot be shown: ${count}`, { id: 'mcp.tool-form.unusable' })}
          </p>`
        : nothing
    }`;
  }

  #renderStructured(json: LongText): TemplateResult {
    return html`<details class="structured" ?open=${this.#blocks.length === 0}>
      <summary>${msg('Structured content', { id: 'mcp.tool-form.structured' })}</summary>
      <div class="json" part="json" dir="ltr">${json.render()}</div>
      ${json.renderMore(() => this.#actions.update())}
      ${
        this.#isStructuredWhole
          ? nothing
          : html`<p class="facts">
              ${msg('It is too long to be shown whole.', { id: 'mcp.tool-form.cut' })}
            </p>`
      }
    </details>`;
  }
}

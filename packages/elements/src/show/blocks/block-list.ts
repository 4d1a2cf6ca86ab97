import type { ContentBlock } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../base/text/format.js';
import { Slices } from '../../reading/slices.js';
import { ShownBlock, type BlockActions } from './content-block.js';

/** How many blocks are shown at first. */
const FIRST_BLOCKS = 50;

/** The content blocks of an answer: a first part of them, and more when the user asks. */
export class BlockList {
  readonly #blocks: readonly ContentBlock[];
  readonly #actions: BlockActions;
  readonly #shown: ShownBlock[] = [];
  readonly #work = new AbortController();

  constructor(blocks: readonly ContentBlock[], actions: BlockActions) {
    this.#blocks = blocks;
    this.#actions = actions;
    this.#showMore();
  }

  /** How many blocks the answer has. */
  get length(): number {
    return this.#blocks.length;
  }

  /** The blocks that are shown, in their order. */
  get shown(): readonly ShownBlock[] {
    return this.#shown;
  }

  /** To be called when they are no longer shown. */
  dispose(): void {
    this.#work.abort();
    for (const block of this.#shown) block.dispose();
  }

  /** How many blocks are shown, with a button for more; nothing if those are all. */
  renderMore(): TemplateResult | typeof nothing {
    if (this.#shown.length === this.#blocks.length) return nothing;
    const [count, total] = [this.#shown, this.#blocks].map(({ length }) => formatNumber(length));
    const more = (): void => {
      this.#showMore();
      this.#actions.update();
    };
    return html`<p class="more">
      <span>${msg(str`Parts shown: ${count!} of ${total!}`, { id: 'mcp.block.parts' })}</span>
      <button type="button" @click=${more}>
        ${msg('Show more', { id: 'mcp.long-text.more' })}
      </button>
    </p>`;
  }

  #showMore(): void {
    const start = this.#shown.length;
    const next = this.#blocks.slice(start, start + Math.max(FIRST_BLOCKS, start));
    this.#shown.push(...next.map((block) => new ShownBlock(block, this.#actions)));
    this.#prepare(this.#shown.slice(start)).catch(() => undefined);
  }

  /** Rejects when the blocks are no longer shown. */
  async #prepare(blocks: readonly ShownBlock[]): Promise<void> {
    const slices = new Slices(this.#work.signal, () => undefined);
    for (const block of blocks) await block.prepare(slices);
  }
}

import type { BlobResourceContents, CallToolResult, Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { icon, iconFor, chevronIcon } from '../../base/look/icons.js';
import { LongText } from '../../base/look/long-text.js';
import { Slices } from '../../reading/slices.js';
import { formatNumber } from '../../base/text/format.js';
import { writeJson, type JsonText } from '../../base/text/json-text.js';
import { nameOf } from '../../base/text/name-of.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { ResultFile } from './result-file.js';
import { usableResult, type UsableBlock } from './usable-result.js';

/** How many blocks are shown at first. */
const FIRST_BLOCKS = 50;

/** How much of the structured content is written, in UTF-16 code units. */
const MAX_JSON_LENGTH = 1_000_000;

interface NamedText {
  readonly name: string;
  readonly text: LongText;
}

type ShownBlock = NamedText | ResultFile | Resource;

/** What a result needs from its element. */
export interface ResultActions {
  /** The result has to be rendered again. */
  update(): void;
  /** The user has chosen a link. */
  open(resource: Resource): void;
}

/** The result of a tool, shown without running or loading anything. */
export class ShownResult {
  readonly isError: boolean;
  readonly #blocks: readonly UsableBlock[];
  readonly #shown: ShownBlock[] = [];
  readonly #structured: LongText | undefined;
  readonly #isStructuredWhole: boolean = true;
  readonly #unusable: number;
  readonly #work = new AbortController();
  readonly #actions: ResultActions;

  constructor(result: CallToolResult, actions: ResultActions) {
    const { blocks, structured, isError, unusable } = usableResult(result);
    this.isError = isError;
    this.#actions = actions;
    this.#unusable = unusable;
    this.#blocks = blocks;
    if (structured !== undefined) {
      const { text, isWhole } = writeJson(structured, MAX_JSON_LENGTH);
      this.#structured = new LongText(text);
      this.#isStructuredWhole = isWhole;
      // Servers send the same again as a text, for clients that know no structured content.
      const compact = writeJson(structured, MAX_JSON_LENGTH, 0);
      this.#blocks = blocks.filter((block) => !isSame(block, compact));
    }
    this.#showMore();
  }

  /** To be called when it is no longer shown. */
  dispose(): void {
    this.#work.abort();
    for (const block of this.#shown) if (block instanceof ResultFile) block.dispose();
  }

  render(): TemplateResult {
    const isEmpty = this.#blocks.length === 0 && !this.#structured && this.#unusable === 0;
    return html`${this.#shown.map((block) => this.#renderBlock(block))} ${this.#renderMore()}
    ${this.#structured ? this.#renderStructured(this.#structured) : nothing}
    ${
      isEmpty
        ? html`<p class="facts">
            ${msg('The tool has returned no content.', { id: 'mcp.tool-form.no-content' })}
          </p>`
        : nothing
    }
    ${this.#renderUnusable()}`;
  }

  #showMore(): void {
    const start = this.#shown.length;
    const next = this.#blocks.slice(start, start + Math.max(FIRST_BLOCKS, start));
    this.#shown.push(...next.map(shownBlock));
    const files = this.#shown.slice(start).filter((block) => block instanceof ResultFile);
    this.#prepare(files).catch(() => undefined);
  }

  /** Rejects when the result is no longer shown. */
  async #prepare(files: readonly ResultFile[]): Promise<void> {
    const slices = new Slices(this.#work.signal, () => this.#actions.update());
    for (const file of files) await file.prepare(slices);
    if (files.length > 0) this.#actions.update();
  }

  #renderBlock(block: ShownBlock): TemplateResult {
    const update = (): void => this.#actions.update();
    if (block instanceof ResultFile) return html`<div class="block">${block.render(update)}</div>`;
    if ('uri' in block) return this.#renderLink(block);
    return html`<div class="block">
      ${block.name ? html`<p class="facts"><bdi>${block.name}</bdi></p>` : nothing}
      ${block.text.render()} ${block.text.renderMore(update)}
    </div>`;
  }

  #renderLink(resource: Resource): TemplateResult {
    const { uri, mimeType, title, name } = resource;
    return html`<button
      type="button"
      class="link"
      part="link"
      @click=${() => this.#actions.open(resource)}
    >
      ${icon(iconFor(mimeType))}
      <span class="names">
        <span><bdi>${truncateText(title || name)}</bdi></span>
        <span class="facts"><bdi>${truncateText(uri)}</bdi></span>
      </span>
      ${icon(chevronIcon)}
    </button>`;
  }

  #renderMore(): TemplateResult | typeof nothing {
    const [shown, all] = [this.#shown.length, this.#blocks.length];
    if (shown === all) return nothing;
    const [count, total] = [formatNumber(shown), formatNumber(all)];
    const more = (): void => {
      this.#showMore();
      this.#actions.update();
    };
    return html`<p class="more">
      <span>${msg(str`Parts shown: ${count} of ${total}`, { id: 'mcp.tool-form.parts' })}</span>
      <button type="button" @click=${more}>
        ${msg('Show more', { id: 'mcp.long-text.more' })}
      </button>
    </p>`;
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

  #renderUnusable(): TemplateResult | typeof nothing {
    if (this.#unusable === 0) return nothing;
    const count = formatNumber(this.#unusable);
    return html`<p class="facts" role="note">
      ${msg(str`Parts that cannot be shown: ${count}`, { id: 'mcp.tool-form.unusable' })}
    </p>`;
  }
}

function shownBlock(block: UsableBlock): ShownBlock {
  if (block.kind === 'text') return { name: '', text: new LongText(block.text) };
  if (block.kind === 'link') return block.resource;
  if (block.kind === 'bytes')
    return new ResultFile({ uri: '', mimeType: block.mimeType, blob: block.data }, '');
  const { contents } = block;
  const name = nameOf(contents.uri);
  return 'text' in contents
    ? { name, text: new LongText(contents.text) }
    : new ResultFile(contents satisfies BlobResourceContents, name);
}

/** Whether a text is the structured content as JSON. */
function isSame(block: UsableBlock, { text, isWhole }: JsonText): boolean {
  return block.kind === 'text' && isWhole && block.text === text;
}

import type { ResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { chevronIcon, copyIcon, icon } from '../../../base/look/icons.js';
import { theme } from '../../../base/look/theme.js';
import type { Slices } from '../../../reading/slices.js';
import { rowStyles, VirtualRows } from '../../../base/rows/virtual-rows.js';
import { formatNumber } from '../../../base/text/format.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { tokenStyles } from '../code/tokens.js';
import { markOf, markStyles, wordsIn } from '../change-marks.js';
import { loadCode } from '../load-code.js';
import { readText } from '../reading.js';
import type { ChangedPlace } from '../renderer.js';
import { RendererBase } from '../renderer-base.js';
import { rendererStyles } from '../renderer.styles.js';
import { KIND, type JsonError, type JsonIndex } from './json-index.js';
import { pointerOf, unquote } from './json-path.js';
import { JsonTree, nameOf } from './json-tree.js';
import { moveInTree } from './move-in-tree.js';
import { styles } from './mcp-view-json.styles.js';
import { readJson, readJsonLines, type JsonText } from './read-json.js';

/** JSON that was read, or a text that is not JSON. */
interface Model {
  tree: JsonTree | undefined;
  error: JsonError | undefined;
  isCut: boolean;
}

const LINES = /(nd|-)?json(l|-?lines)$|ndjson$/;

/** How deep rows are indented; deeper ones stand as far to the right. */
const MAX_INDENT = 24;

/** How long a key or a value is in its row, in UTF-16 code units. */
const MAX_LENGTH = 200;

/** How long a key may be to be taken out of its quotes. */
const MAX_KEY_LENGTH = 1_000;

const CLASSES = ['', '', 'tok-string', 'tok-number', 'tok-keyword', 'tok-keyword', '', 'broken'];

/**
 * JSON as a tree, and JSON Lines as a tree with an entry for each line. Numbers keep all their digits
 * and keys their order. What is not JSON is shown as text, with the place where it stops being JSON.
 *
 * @csspart scroller - The rows.
 * @csspart path - The line with the path of the active row.
 * @csspart partial - The remark that only the first part is shown.
 */
export class McpViewJson extends RendererBase<Model> {
  static override readonly properties: PropertyDeclarations = { active: { state: true } };
  static override readonly styles = [
    theme,
    rendererStyles,
    rowStyles,
    tokenStyles,
    styles,
    markStyles,
  ];

  /** The node that the keys act on. */
  declare private active: number;
  #announcement = '';

  readonly #rows = new VirtualRows(this, {
    scroller: () => this.renderRoot.querySelector<HTMLElement>('[role=tree]') ?? undefined,
    keyOf: (row) => String(this.model?.tree?.nodeOf(row)),
  });

  constructor() {
    super();
    this.active = 0;
  }

  protected override async prepare(
    contents: ResourceContents,
    slices: Slices,
    before: Model | undefined,
  ): Promise<Model> {
    const { text, isCut } = await readText(contents, slices);
    const read = isLines(contents) ? readJsonLines : readJson;
    const {
      index,
      error,
      isCut: isShort,
    }: JsonText = await read(text, isCut || this.partial, slices);
    if (error) await loadCode();
    const tree = error ? undefined : new JsonTree(index);
    if (tree && before?.tree) {
      await tree.openAs(before.tree, slices);
      this.active = findActive(before.tree, this.active, tree);
    } else this.active = 0;
    return { tree, error, isCut: isShort && !this.partial };
  }

  protected override reveal({ tree }: Model, place: ChangedPlace): void {
    if (!tree) return;
    const [start] = wordsIn(tree.index.text, place);
    const node = tree.index.nodeAt(start);
    tree.openTo(node);
    this.#activate(tree, node);
  }

  protected override renderModel({ tree, error, isCut }: Model): unknown {
    if (!tree) return error && this.#renderText(error);
    this.#rows.count = tree.count;
    const activeRow = tree.rowOf(this.active);
    const isDrawn = activeRow >= this.#rows.first && activeRow < this.#rows.end;
    return html`${this.renderPartial(isCut)}${tree.isTruncated ? renderTruncated() : nothing}
      ${this.#renderPath(tree)}
      <div
        class="scroller"
        part="scroller"
        role="tree"
        aria-label="JSON"
        tabindex="0"
        aria-activedescendant=${isDrawn ? `row-${this.active}` : nothing}
        @keydown=${(event: KeyboardEvent) => this.#onKeydown(event, tree)}
      >
        ${this.#rows.render((row) => this.#renderRow(tree, row))}
      </div>`;
  }

  #renderText({ line, column }: JsonError): TemplateResult {
    const [lineText, columnText] = [formatNumber(line), formatNumber(column)];
    return html`<p class="remark" role="status">
        ${msg(str`This is not valid JSON: see line ${lineText}, column ${columnText}.`, {
          id: 'mcp.renderers.not-json',
        })}
      </p>
      <mcp-view-code
        class="text"
        .contents=${this.contents}
        .partial=${this.partial}
        .markedLine=${line}
        .changes=${this.changes}
      ></mcp-view-code>`;
  }

  #renderRow(tree: JsonTree, row: number): TemplateResult {
    const node = tree.nodeOf(row);
    const { index } = tree;
    const level = index.levelOf(node);
    const parent = index.parentOf(node);
    const isExpandable = tree.isExpandable(node);
    const [start, end] = tree.rangeOf(row);
    const [valueStart] = index.rangeOf(node);
    const mark = (from: number, to: number): string =>
      markOf(this.shownChanges, index.text, from, to);
    return html`<div
      class="row"
      role="treeitem"
      id=${`row-${node}`}
      aria-level=${level}
      aria-setsize=${parent < 0 ? 1 : index.sizeOf(parent)}
      aria-posinset=${index.positionOf(node) + 1}
      aria-expanded=${isExpandable ? tree.isOpen(node) : nothing}
      aria-selected=${node === this.active}
      .style=${`--level: ${Math.min(level - 1, MAX_INDENT)}`}
      @click=${() => this.#onClick(tree, node)}
    >
      <span class="toggle">${isExpandable ? icon(chevronIcon) : nothing}</span
      >${parent < 0 ? nothing : html`<span class=${`key ${mark(start, valueStart)}`}>${labelOf(index, node)}</span>`}
      ${renderValue(index, node, mark(valueStart, end))}
    </div>`;
  }

  #renderPath(tree: JsonTree): TemplateResult {
    const canCopy = 'clipboard' in navigator;
    const pointer = (): string => pointerOf(tree.index, this.active);
    const [start, end] = tree.index.rangeOf(this.active);
    const copy = (): string => tree.index.text.slice(start, end);
    return html`<div class="bar" part="path">
      <code class="one-line grow">${shortPointer(tree.index, this.active)}</code>
      ${
        canCopy
          ? html`<button @click=${async () => await this.#copy(pointer)}>
                ${icon(copyIcon)} ${msg('Copy path', { id: 'mcp.renderers.copy-path' })}
              </button>
              <button @click=${async () => await this.#copy(copy)}>
                ${icon(copyIcon)} ${msg('Copy value', { id: 'mcp.renderers.copy-value' })}
              </button>`
          : nothing
      }
      <button @click=${() => this.#toggleAll(tree, true)}>
        ${msg('Expand all', { id: 'mcp.renderers.expand-all' })}
      </button>
      <button @click=${() => this.#toggleAll(tree, false)}>
        ${msg('Collapse all', { id: 'mcp.renderers.collapse-all' })}
      </button>
      <span class="visually-hidden" role="status">${this.#announcement}</span>
    </div>`;
  }

  async #copy(text: () => string): Promise<void> {
    this.#announcement = await navigator.clipboard.writeText(text()).then(
      () => msg('Copied', { id: 'mcp.renderers.copied' }),
      () => msg('The browser does not allow copying.', { id: 'mcp.renderers.not-copied' }),
    );
    this.requestUpdate();
  }

  #toggleAll(tree: JsonTree, isOpen: boolean): void {
    tree.toggleAll(isOpen);
    this.#activate(tree, isOpen ? this.active : 0);
  }

  #onClick(tree: JsonTree, node: number): void {
    tree.toggle(node);
    this.#activate(tree, node);
  }

  #onKeydown(event: KeyboardEvent, tree: JsonTree): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isRtl = getComputedStyle(this).direction === 'rtl';
    const node = moveInTree(tree, this.active, event.key, isRtl, this.#rows.rowsPerPage);
    if (node === undefined) return;
    event.preventDefault();
    this.#activate(tree, node);
  }

  #activate(tree: JsonTree, node: number): void {
    this.active = node;
    this.#announcement = '';
    this.#rows.scrollToRow(Math.max(0, tree.rowOf(node)));
  }
}

/** The element, for renderers.ts. */
export { McpViewJson as renderer };

function isLines({ mimeType, uri }: ResourceContents): boolean {
  const type = truncateText(mimeType ?? '');
  return LINES.test(type) || (!/json/.test(type) && LINES.test(uri.slice(-64)));
}

/** The same node in another tree, or the nearest one around it. */
function findActive(before: JsonTree, active: number, tree: JsonTree): number {
  const row = before.rowOf(active);
  return row < 0 ? 0 : tree.nodeOf(Math.min(row, tree.count - 1));
}

/** The path of a node for a line; of a very deep one, its level. */
function shortPointer(index: JsonIndex, node: number): string {
  const level = index.levelOf(node);
  if (level > MAX_LENGTH) return `… /${truncateText(String(nameOf(index, node)))} (${level})`;
  return truncateText(pointerOf(index, node), MAX_LENGTH) || '/';
}

function labelOf(index: JsonIndex, node: number): string {
  const name = nameOf(index, node);
  if (typeof name === 'number') return formatNumber(name);
  return truncateText(name.length > MAX_KEY_LENGTH ? name : unquote(name), MAX_LENGTH);
}

function renderValue(index: JsonIndex, node: number, mark: string): TemplateResult {
  const kind = index.kindOf(node);
  if (index.isContainer(node)) {
    const size = formatNumber(index.sizeOf(node));
    return html`<span class=${`size ${mark}`}
      >${kind === KIND.object ? `{ ${size} }` : `[ ${size} ]`}</span
    >`;
  }
  const [start, end] = index.rangeOf(node);
  const source = index.text.slice(start, Math.min(end, start + MAX_LENGTH + 1));
  return html`<span class=${`value ${CLASSES[kind]} ${mark}`}
    >${truncateText(source, MAX_LENGTH)}</span
  >`;
}

function renderTruncated(): TemplateResult {
  return html`<p class="remark" role="status">
    ${msg('So many entries are open that the last ones are not shown.', {
      id: 'mcp.renderers.too-many-rows',
    })}
  </p>`;
}

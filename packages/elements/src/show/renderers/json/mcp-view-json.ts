import type { ResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { chevronIcon, copyIcon, icon } from '../../../base/look/icons.js';
import { theme } from '../../../base/look/theme.js';
import { formatNumber } from '../../../base/text/format.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import type { Slices } from '../../../reading/slices.js';
import { tokenStyles } from '../../code/tokens.js';
import { Refusal, RendererBase } from '../renderer.js';
import { rendererStyles } from '../renderer.styles.js';
import {
  BrokenLine,
  entriesOf,
  isContainer,
  parseJson,
  parseJsonLines,
  placeOfError,
  pointerTo,
  sizeOf,
  sourceOf,
  type Container,
} from './json-value.js';
import { styles } from './mcp-view-json.styles.js';

/** Parsed JSON. */
interface Model {
  value: unknown;
}

/** A value with its address in the text. */
interface Node {
  name: string | number | undefined;
  value: unknown;
  pointer: string;
  level: number;
}

const LINES = /(nd|-)?json(l|-?lines)$|ndjson$/;

/**
 * The maximum length of a text in UTF-16 code units; a longer one is shown as text, because the browser
 * parses JSON at once.
 */
const MAX_LENGTH = 262_144;

/** The number of rows that are opened at first, and by “Expand all”. */
const FIRST_ROWS = 60;
const MAX_ROWS = 1_000;

/** The number of entries of a value that are shown at first. */
const FIRST_ENTRIES = 100;

/** The maximum depth to which rows are indented, and opened automatically. */
const MAX_LEVEL = 24;

/** The maximum length of a key or a value in its row, in UTF-16 code units. */
const MAX_ROW = 200;

/**
 * JSON as a tree, and JSON Lines as a tree with an entry for each line. Numbers keep all their digits.
 * Refuses what is too long, or not JSON, with the place where it stops being JSON.
 *
 * @csspart scroller - The rows.
 * @csspart path - The line with the path of the active row.
 * @csspart partial - The remark that only the first part is shown.
 */
export class McpViewJson extends RendererBase<Model> {
  static override readonly properties: PropertyDeclarations = { active: { state: true } };
  static override readonly styles = [theme, rendererStyles, tokenStyles, styles];

  /** The active value. */
  declare private active: Pick<Node, 'value' | 'pointer'>;
  #announcement = '';
  /** The addresses of the open values; they stay for the next contents. */
  #open = new Set<string>();
  /** The number of entries that are shown, if they are more than at first. */
  readonly #limits = new Map<string, number>();

  protected override async prepare(contents: ResourceContents, slices: Slices): Promise<Model> {
    const { text, isCut } = await this.readText(contents, slices);
    await slices.next();
    const isPart = (isCut || this.partial) && !isLines(contents);
    if (text.length > MAX_LENGTH || isPart) throw tooLong();
    const value = isLines(contents) ? await parseJsonLines(text, slices) : parse(text);
    slices.throwIfAborted();
    if (!this.model) this.#open = openFirst(value, FIRST_ROWS);
    this.active = { value, pointer: '' };
    return { value };
  }

  protected override renderModel(model: Model): unknown {
    const root = { name: undefined, value: model.value, pointer: '', level: 0 };
    return html`${this.renderPartial()} ${this.#renderPath(model.value)}
      <div class="scroller" part="scroller" @keydown=${this.#onKeydown}>
        ${this.#renderNode(root)}
      </div>`;
  }

  #renderNode(node: Node): TemplateResult {
    const { name, value, pointer, level } = node;
    const activate = (): void => {
      this.active = { value, pointer };
    };
    const label =
      name === undefined
        ? nothing
        : html`<span class="key"
            >${typeof name === 'number' ? formatNumber(name) : truncateText(name, MAX_ROW)}</span
          >`;
    const indent = `--level: ${Math.min(level, MAX_LEVEL)}`;
    if (!isContainer(value) || sizeOf(value) === 0) {
      const content = isContainer(value) ? sizeInWords(value) : renderValue(value);
      return html`<div class="row" tabindex="-1" .style=${indent} @focus=${activate}>
        ${label} <span class="size">${content}</span>
      </div>`;
    }
    const isOpen = this.#open.has(pointer);
    const toggle = (event: Event): void => {
      event.preventDefault();
      if (!this.#open.delete(pointer)) this.#open.add(pointer);
      this.requestUpdate();
    };
    return html`<details ?open=${isOpen}>
      <summary class="row" .style=${indent} @focus=${activate} @click=${toggle}>
        <span class="toggle">${icon(chevronIcon)}</span> ${label}
        <span class="size">${sizeInWords(value)}</span>
      </summary>
      ${isOpen ? this.#renderEntries(value, node) : nothing}
    </details>`;
  }

  #renderEntries(value: Container, { pointer, level }: Node): TemplateResult {
    const limit = this.#limits.get(pointer) ?? FIRST_ENTRIES;
    const more = async ({ currentTarget }: Event): Promise<void> => {
      const button = currentTarget as HTMLElement;
      const last = button.previousElementSibling;
      this.#limits.set(pointer, 2 * limit);
      this.requestUpdate();
      await this.updateComplete;
      // The focus must not be lost with the last button: it goes to the first new row.
      if (!button.isConnected) rowOf(last?.nextElementSibling)?.focus();
    };
    return html`${entriesOf(value, limit).map(([name, one]) =>
      this.#renderNode({
        name,
        value: one,
        pointer: pointerTo(pointer, name),
        level: level + 1,
      }),
    )}
    ${
      sizeOf(value) > limit
        ? html`<button class="more" @click=${more}>
            ${msg('Show more', { id: 'mcp.resource-view.more' })}
          </button>`
        : nothing
    }`;
  }

  #renderPath(root: unknown): TemplateResult {
    const { value, pointer } = this.active;
    const openAll = (rows: number) => (): void => {
      this.#open = openFirst(root, rows);
      this.requestUpdate();
    };
    return html`<div class="bar" part="path">
      <code class="one-line grow">${truncateText(pointer, MAX_ROW) || '/'}</code>
      ${
        'clipboard' in navigator
          ? html`<button @click=${() => this.#copy(pointer)}>
                ${icon(copyIcon)} ${msg('Copy path', { id: 'mcp.renderers.copy-path' })}
              </button>
              <button @click=${() => this.#copyValue(value)}>
                ${icon(copyIcon)} ${msg('Copy value', { id: 'mcp.renderers.copy-value' })}
              </button>`
          : nothing
      }
      <button @click=${openAll(MAX_ROWS)}>
        ${msg('Expand all', { id: 'mcp.renderers.expand-all' })}
      </button>
      <button @click=${openAll(1)}>
        ${msg('Collapse all', { id: 'mcp.renderers.collapse-all' })}
      </button>
      <span class="visually-hidden" role="status">${this.#announcement}</span>
    </div>`;
  }

  async #copy(text: string): Promise<void> {
    this.#announcement = await navigator.clipboard.writeText(text).then(
      () => msg('Copied', { id: 'mcp.renderers.copied' }),
      () => msg('The browser does not allow copying.', { id: 'mcp.renderers.not-copied' }),
    );
    this.requestUpdate();
  }

  async #copyValue(value: unknown): Promise<void> {
    let text: string;
    try {
      text = JSON.stringify(value, undefined, 2);
    } catch {
      this.#announcement = msg('It is nested too deeply to be copied.', {
        id: 'mcp.renderers.too-deep-to-copy',
      });
      this.requestUpdate();
      return;
    }
    await this.#copy(text);
  }

  /** Moves from row to row by arrow keys, and opens and closes rows. */
  #onKeydown(event: KeyboardEvent): void {
    const row = event.target as HTMLElement;
    const step = ['ArrowUp', 'ArrowDown'].indexOf(event.key) * 2 - 1;
    const isOpening = ['ArrowRight', 'ArrowLeft'].includes(event.key);
    if (!row.matches('.row') || (step === -3 && !isOpening)) return;
    event.preventDefault();
    const details = row.closest('details');
    const opens = (event.key === 'ArrowRight') === (getComputedStyle(this).direction === 'ltr');
    if (!isOpening) {
      const rows = [...this.renderRoot.querySelectorAll<HTMLElement>('.row')];
      const shown = rows.filter((one) => one.checkVisibility());
      shown[shown.indexOf(row) + step]?.focus();
    } else if (details && row.matches('summary') && details.open !== opens) row.click();
    else if (!opens) {
      const around = row.matches('summary') ? details?.parentElement?.closest('details') : details;
      around?.querySelector('summary')?.focus();
    }
  }
}

/** The row of an entry, or that of the entry's summary. */
const rowOf = (entry: Element | null | undefined): HTMLElement | null | undefined =>
  entry?.matches('.row') ? (entry as HTMLElement) : entry?.querySelector('.row');

/** The element, for kinds.ts. */
export { McpViewJson as renderer };

/**
 * Parses a text.
 *
 * @throws {Refusal} for a text that is not shown as a tree.
 */
function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof TypeError) throw new Refusal(sameKeys(), true);
    // Otherwise it is nested too deep, or has too many exact numbers.
    if (!(error instanceof SyntaxError)) throw tooLong();
    const place = placeOfError(text);
    const [line, column] = [formatNumber(place.line), formatNumber(place.column)];
    const reason = msg(str`This is not valid JSON: see line ${line}, column ${column}.`, {
      id: 'mcp.renderers.not-json',
    });
    throw new Refusal(reason, true);
  }
}

const sameKeys = (): string =>
  msg('An object in this JSON has a key twice. It is shown as text.', {
    id: 'mcp.renderers.same-keys',
  });

function tooLong(): Refusal {
  const reason = msg('This JSON is too long or too deep for a tree. It is shown as text.', {
    id: 'mcp.renderers.long-json',
  });
  return new Refusal(reason, true);
}

function isLines({ mimeType, uri }: ResourceContents): boolean {
  const type = truncateText(mimeType ?? '');
  return LINES.test(type) || (!/json/.test(type) && LINES.test(uri.slice(-64)));
}

/** The addresses to open so that about this many rows are shown: those near the root first. */
function openFirst(root: unknown, maxRows: number): Set<string> {
  const open = new Set<string>();
  let rows = 1;
  const queue: Node[] = [{ name: undefined, value: root, pointer: '', level: 0 }];
  for (const { value, pointer, level } of queue) {
    if (!isContainer(value) || level > MAX_LEVEL) continue;
    const entries = entriesOf(value, FIRST_ENTRIES);
    if (level > 0 && rows + entries.length > maxRows) continue;
    rows += entries.length;
    open.add(pointer);
    for (const [name, one] of entries)
      queue.push({ name, value: one, pointer: pointerTo(pointer, name), level: level + 1 });
  }
  return open;
}

function sizeInWords(value: Container): string {
  const size = formatNumber(sizeOf(value));
  return Array.isArray(value) ? `[ ${size} ]` : `{ ${size} }`;
}

function renderValue(value: unknown): TemplateResult {
  const kind = typeof value;
  const token =
    value instanceof BrokenLine
      ? 'broken'
      : kind === 'string'
        ? 'tok-string'
        : kind === 'boolean' || value === null
          ? 'tok-keyword'
          : 'tok-number';
  const part = kind === 'string' ? (value as string).slice(0, MAX_ROW + 1) : value;
  return html`<span class=${`value ${token}`}>${truncateText(sourceOf(part), MAX_ROW)}</span>`;
}

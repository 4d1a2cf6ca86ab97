import type { McpClient, Resource, ResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import {
  checkIcon,
  copyIcon,
  downloadIcon,
  infoIcon,
  icon,
  pauseIcon,
  playIcon,
  refreshIcon,
} from '../../../base/look/icons.js';
import { downloadBlob } from '../../../base/element/download-blob.js';
import type { Connection } from '../../../base/element/connection.js';
import { blobOf, sizeOf } from '../../../reading/content-bytes.js';
import { isDiskFolder } from '../../../reading/disk.js';
import { usableReading } from '../../../reading/gate.js';
import { withTexts, type ResourceReading } from '../../../reading/resource-controller.js';
import { factsIn, factsOf } from '../../../reading/resource-facts.js';
import { Slices } from '../../../reading/slices.js';
import {
  formatAge,
  formatDate,
  formatNumber,
  formatSize,
  joinFacts,
} from '../../../base/text/format.js';
import { typeInWords } from '../../../base/text/type-words.js';
import { nameOf } from '../../../base/text/name-of.js';
import { tokensOfResource } from '../../../base/text/tokens.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { adoptStyles } from '../../../base/look/adopt-styles.js';
import { hasSource, opensAsSource } from '../content/kinds.js';
import type { View } from '../content/view.js';
import { styles } from './view-header.styles.js';

/** The parts of the view that the header needs, in addition to the public properties. */
interface HeaderHost {
  announce: (text: string) => void;
  reading: () => ResourceReading | undefined;
  connection: Pick<Connection, 'client' | 'state'>;
}

/** The maximum number of contents that are checked for a source. */
const MAX_CONTENTS = 100;

/** The time for which a button shows its success, in milliseconds. */
const DONE_MS = 2_000;

/** The facts of a resource in the header. */
interface HeaderFacts {
  title: string | undefined;
  type: string | undefined;
  /** The size in bytes; for a text an estimate. */
  size: number | undefined;
  isText: boolean;
  lastModified: string | undefined;
  audience: readonly string[];
  priority: number | undefined;
}

/** The header of a view: title, facts, the tabs for the source, and actions. */
export class ViewHeader {
  readonly #view: View;
  readonly #host: HeaderHost;
  /** The action that has just succeeded. */
  #done: 'copy' | 'save' | undefined;

  constructor(view: View, host: HeaderHost) {
    this.#view = view;
    this.#host = host;
    adoptStyles(view.renderRoot as ShadowRoot, styles);
  }

  /** The id of the selected tab, if the header has tabs. */
  get selectedTab(): string | undefined {
    const format = this.#shownFormat();
    return format === 'one' ? undefined : `tab-${format}`;
  }

  render(): TemplateResult {
    const reading = this.#host.reading();
    const { uri = '', resource } = this.#view;
    const listed = resource?.uri === uri ? resource : undefined;
    const facts = headerFacts(listed, reading);
    const title = truncateText(facts.title ?? '') || nameOf(uri);
    return html`<div class="header" part="header">
      <div class="heading">
        <h2 class="one-line" part="title" title=${title}>${title}</h2>
        ${this.#renderTabs()} ${this.#renderActions(reading)}
      </div>
      <div class="facts" part="details">${renderFacts(facts, uri, reading)}</div>
    </div>`;
  }

  /** The view that is shown, if two exist; `one` otherwise. */
  #shownFormat(): 'one' | 'formatted' | 'source' {
    const contents = this.#host.reading()?.result.contents.slice(0, MAX_CONTENTS) ?? [];
    if (!contents.some(hasSource)) return 'one';
    const { mode } = this.#view;
    if (mode !== 'auto') return mode;
    return contents.every(opensAsSource) ? 'source' : 'formatted';
  }

  #renderTabs(): TemplateResult | typeof nothing {
    const shown = this.#shownFormat();
    if (shown === 'one') return nothing;
    const label = msg('View', { id: 'mcp.resource-view.view' });
    return html`<div class="tabs" role="tablist" aria-label=${label} @keydown=${this.#onTabKey}>
      ${this.#renderTab('formatted', msg('Formatted', { id: 'mcp.resource-view.formatted' }), shown)}
      ${this.#renderTab('source', msg('Source', { id: 'mcp.resource-view.source' }), shown)}
    </div>`;
  }

  #renderTab(mode: 'formatted' | 'source', label: string, shown: string): TemplateResult {
    const isSelected = mode === shown;
    return html`<button
      role="tab"
      id=${`tab-${mode}`}
      aria-selected=${isSelected ? 'true' : 'false'}
      aria-controls="body"
      tabindex=${isSelected ? 0 : -1}
      @click=${() => (this.#view.mode = mode)}
    >
      ${label}
    </button>`;
  }

  /** Handles a key in the two tabs, where any arrow leads to the other one. */
  #onTabKey = async (event: KeyboardEvent): Promise<void> => {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return;
    event.preventDefault();
    const isSource = this.#shownFormat() === 'source';
    const other = isSource ? 'formatted' : 'source';
    const [first, last] = ['formatted', 'source'] as const;
    const mode = event.key === 'Home' ? first : event.key === 'End' ? last : other;
    this.#view.mode = mode;
    await this.#view.updateComplete;
    this.#view.renderRoot.querySelector<HTMLElement>(`#tab-${mode}`)?.focus();
  };

  #renderActions(reading: ResourceReading | undefined): TemplateResult {
    const { paused } = this.#view;
    const isText = reading?.result.contents.every((one) => 'text' in one) ?? false;
    const copy = isText
      ? msg('Copy the text', { id: 'mcp.resource-view.copy-text' })
      : msg('Copy the address', { id: 'mcp.resource-view.copy-address' });
    const live = msg('Live updates', { id: 'mcp.resource-view.live' });
    return html`<div class="actions">
      <slot name="actions"
        >${this.#renderAction(copy, this.#done === 'copy' ? checkIcon : copyIcon, () => this.#copy(isText))}
        ${
          reading?.result.contents.length === 1
            ? this.#renderAction(
                msg('Download', { id: 'mcp.resource-view.download' }),
                this.#done === 'save' ? checkIcon : downloadIcon,
                () => this.#save(),
              )
            : nothing
        }
        ${
          this.#host.connection.state !== 'closed'
            ? html`<button
                  class="quiet live"
                  aria-pressed=${paused ? 'false' : 'true'}
                  aria-label=${live}
                  title=${live}
                  @click=${() => (this.#view.paused = !paused)}
                >
                  ${icon(paused ? playIcon : pauseIcon)}
                </button>
                ${this.#renderAction(
                  msg('Read again', { id: 'mcp.resource-view.reload' }),
                  refreshIcon,
                  () => this.#view.reload(),
                )}`
            : nothing
        }
      </slot>
    </div>`;
  }

  #renderAction(label: string, path: string, onclick: () => void): TemplateResult {
    return html`<button class="quiet" aria-label=${label} title=${label} @click=${onclick}>
      ${icon(path)}
    </button>`;
  }

  async #copy(isText: boolean): Promise<void> {
    const reading = this.#host.reading();
    await this.#run('copy', async () => {
      if (isText && reading) await copyContents(this.#host.connection.client, reading);
      else await navigator.clipboard.writeText(this.#view.uri ?? '');
      return msg('Copied.', { id: 'mcp.resource-view.copied' });
    });
  }

  async #save(): Promise<void> {
    const reading = this.#host.reading();
    if (!reading) return;
    await this.#run('save', async () => {
      await saveContents(this.#host.connection.client, reading);
      return msg('Saved.', { id: 'mcp.resource-view.saved' });
    });
  }

  async #run(name: 'copy' | 'save', action: () => Promise<string>): Promise<void> {
    try {
      this.#host.announce(await action());
    } catch {
      const failed = msg('That did not work. Try again.', { id: 'mcp.resource-view.failed' });
      this.#host.announce(failed);
      return;
    }
    this.#done = name;
    this.#view.requestUpdate();
    setTimeout(() => {
      this.#done = undefined;
      this.#view.requestUpdate();
    }, DONE_MS);
  }
}

/** Renders the most important facts in a line, and the rest behind a button. */
function renderFacts(
  facts: HeaderFacts,
  uri: string,
  reading: ResourceReading | undefined,
): TemplateResult {
  const { type, size, lastModified, audience, priority } = facts;
  const count = facts.isText ? tokensOfResource({ mimeType: 'text/plain', size }) : undefined;
  const tokens = count === undefined ? '' : formatNumber(count);
  const readMs = reading && formatNumber(Math.round(reading.durationMs * 10) / 10);
  const more = msg('More about it', { id: 'mcp.resource-view.about-it' });
  const line = joinFacts([
    typeInWords(uri, type),
    size === undefined ? '' : formatSize(size),
    lastModified && formatAge(lastModified),
  ]);
  return html`<span title=${lastModified ? formatDate(lastModified) : nothing}>${line}</span>
    <details>
      <summary aria-label=${more} title=${more}>${icon(infoIcon)}</summary>
      <dl>
        ${renderFact(msg('Address', { id: 'mcp.resource-view.address' }), truncateText(uri, 500))}
        ${renderFact(msg('Type', { id: 'mcp.resource-view.type' }), type && truncateText(type))}
        ${renderFact(
          msg('Tokens', { id: 'mcp.resource-view.tokens' }),
          tokens && msg(str`about ${tokens}`, { id: 'mcp.resource-view.about' }),
        )}
        ${renderFact(msg('For', { id: 'mcp.resource-view.audience' }), audience.map(nameOfAudience).join(', '))}
        ${renderFact(
          msg('Priority', { id: 'mcp.resource-view.priority' }),
          priority === undefined ? '' : formatNumber(priority),
        )}
        ${renderFact(
          msg('Read in', { id: 'mcp.resource-view.read-time' }),
          readMs && msg(str`${readMs} ms`, { id: 'mcp.resource-view.milliseconds' }),
        )}
      </dl>
    </details>`;
}

function renderFact(name: string, value: string | undefined): TemplateResult | typeof nothing {
  if (!value) return nothing;
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function nameOfAudience(audience: string): string {
  return audience === 'user'
    ? msg('people', { id: 'mcp.resource-view.for-people' })
    : msg('models', { id: 'mcp.resource-view.for-models' });
}

/** The facts of the list, and those of the contents, which are newer. */
function headerFacts(
  resource: Resource | undefined,
  reading: ResourceReading | undefined,
): HeaderFacts {
  const contents = reading?.result.contents ?? [];
  const [only] = contents.length === 1 ? contents : [];
  const listed = factsOf(resource);
  const read = only ? factsIn(only) : factsOf(undefined);
  // The JSON of a folder does not describe its look.
  const isFolder = only && isDiskFolder(only.uri);
  const size = reading?.part?.size ?? read.size ?? listed.size ?? (only && sizeOf(only));
  return {
    title: read.title ?? listed.title ?? resource?.name,
    type: isFolder ? 'inode/directory' : (only?.mimeType ?? resource?.mimeType),
    size: isFolder ? undefined : size,
    isText: contents.length > 0 && contents.every((one) => 'text' in one),
    lastModified: read.lastModified ?? listed.lastModified,
    audience: read.audience.length > 0 ? read.audience : listed.audience,
    priority: read.priority ?? listed.priority,
  };
}

/** Copies the texts of a resource completely. Rejects if they cannot be read, or the browser refuses. */
async function copyContents(
  client: McpClient | undefined,
  reading: ResourceReading,
): Promise<void> {
  const contents = await wholeContents(client, reading);
  const texts = contents.map((one) => ('text' in one ? one.text : ''));
  await navigator.clipboard.writeText(texts.join('\n'));
}

/** Saves the only content of a resource as a file. Rejects if it cannot be read. */
async function saveContents(
  client: McpClient | undefined,
  reading: ResourceReading,
): Promise<void> {
  const [content] = await wholeContents(client, reading);
  if (!content) return;
  const blob = await blobOf(content, new Slices(new AbortController().signal, () => undefined));
  downloadBlob(blob, nameOf(content.uri));
}

/** The contents that were read; if they were only a part, all of them are read. */
async function wholeContents(
  client: McpClient | undefined,
  { uri, part, result, encoding }: ResourceReading,
): Promise<readonly ResourceContents[]> {
  if (!part || !client) return result.contents;
  const whole = { result: usableReading(await client.readResource(uri)) };
  const { signal } = new AbortController();
  return (await withTexts(whole, encoding?.name, signal)).result.contents;
}

import type { ResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { css, html, nothing, type LitElement, type TemplateResult } from 'lit';
import { adoptStyles } from '../../../base/look/adopt-styles.js';
import { closeIcon, icon } from '../../../base/look/icons.js';
import { formatSize } from '../../../base/text/format.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { authorOfAll } from '../../../reading/change-author.js';
import { sizeOf } from '../../../reading/content-size.js';
import type { ResourceReading } from '../../../reading/resource-controller.js';
import { factsIn } from '../../../reading/resource-facts.js';
import { McpResourceChangeEvent } from '../content/events.js';
import { Marks, shownLines } from './marks.js';

/** The styles of changed lines, and of the bar that names their author. */
const styles = css`
  ::highlight(mcp-changed) {
    background-color: var(--_updated);
    color: inherit;
  }

  /* The colours of code have too little contrast on it. */
  .line > *::highlight(mcp-changed) {
    color: var(--_text);
  }

  ::highlight(mcp-changed-removed) {
    text-decoration: underline dashed 2px var(--_danger);
  }

  .changes {
    display: flex;
    align-items: center;
    gap: 0.25rem;
    padding-block: 0.3rem;
    padding-inline: 1.25rem 0.75rem;
    border-block-end: 1px solid var(--_line);
    background: var(--_updated);
    font-size: 0.8125rem;
  }

  .changes > .what {
    flex: 1;
    min-inline-size: 10rem;
    overflow-wrap: anywhere;
  }

  .changes button:hover:not(:disabled) {
    background: var(--_surface);
  }

  @media (forced-colors: active) {
    .changes {
      background: Canvas;
    }

    ::highlight(mcp-changed) {
      background-color: Mark;
      color: MarkText;
    }
  }
`;

/** The time in milliseconds within which consecutive updates count as one. */
const ONE_UPDATE_MS = 5_000;

interface ChangesHost {
  view: LitElement;
  announce: (text: string) => void;
}

/** The lines and the reading before an update. */
interface Baseline {
  lines: readonly string[];
  reading: ResourceReading;
}

/**
 * The changes of the last update: marks in the shown content, and a bar that names their author. If the
 * content is not a text, the bar shows the sizes before and after.
 */
export class Changes {
  readonly #host: ChangesHost;
  readonly #marks: Marks;
  /** The state before an update that is about to be shown. */
  #before: Baseline | undefined;
  /** The state before the update that is marked. */
  #baseline: Baseline | undefined;
  #after: ResourceReading | undefined;
  #markedAt = -Infinity;
  #isShown = false;
  #by: string | undefined;

  constructor(host: ChangesHost) {
    this.#host = host;
    this.#marks = new Marks(host.view.renderRoot);
    adoptStyles(host.view.renderRoot as ShadowRoot, styles);
  }

  /** Whether the last update is marked. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /** Compares a reading with the one that has been shown so far. */
  compare(shown: ResourceReading, reading: ResourceReading): void {
    if (!isChanged(shown, reading)) return;
    const { view } = this.#host;
    const { name, isOwn: isByClient, connection } = authorOfAll(reading.metas ?? []);
    const event = new McpResourceChangeEvent(reading.uri, name, isByClient, connection);
    const isOwn = !view.dispatchEvent(event) || event.isOwn;
    const before = this.#before ?? this.#recentBaseline() ?? this.#baselineOf(shown);
    this.clear();
    this.#by = event.by && truncateText(event.by, 80);
    this.#before = isOwn ? undefined : before;
    this.#after = reading;
  }

  /** Marks the differences between the shown content and that before the update, if an update has happened. */
  mark(): void {
    const before = this.#before;
    this.#before = undefined;
    if (!before) return;
    const isFirst = !this.#isRecent();
    this.#baseline = before;
    this.#markedAt = performance.now();
    this.#isShown = true;
    this.#marks.mark(before.lines);
    this.#host.view.requestUpdate();
    if (isFirst) this.#host.announce(this.#announcement());
  }

  /** Removes all marks, and the bar. */
  clear(): void {
    this.#marks.clear();
    this.#isShown = false;
    this.#before = undefined;
  }

  render(): TemplateResult | typeof nothing {
    if (!this.#isShown) return nothing;
    const dismiss = msg('Remove the marks', { id: 'mcp.resource-view.dismiss-changes' });
    const sizes = this.#sizes();
    return html`<div class="changes" part="changes">
      <span class="what"
        ><bdi>${this.#label()}</bdi> ${sizes ? html`· <bdi>${sizes}</bdi>` : nothing}</span
      >
      <button class="quiet" aria-label=${dismiss} title=${dismiss} @click=${this.#dismiss}>
        ${icon(closeIcon)}
      </button>
    </div>`;
  }

  readonly #dismiss = (): void => {
    this.clear();
    this.#host.view.requestUpdate();
  };

  #label(): string {
    const by = this.#by;
    return by
      ? msg(str`Updated by ${by}`, { id: 'mcp.resource-view.updated-by' })
      : msg('Updated', { id: 'mcp.resource-view.updated-short' });
  }

  #announcement(): string {
    const by = this.#by;
    const updated = by
      ? msg(str`The resource was updated by ${by}.`, { id: 'mcp.resource-view.was-updated-by' })
      : msg('The resource was updated.', { id: 'mcp.resource-view.updated' });
    return `${updated} ${this.#sizes()}`.trim();
  }

  /** The sizes of the changed bytes, before and after, as a text. */
  #sizes(): string {
    const [before, now] = bytesOfChanged(this.#baseline?.reading, this.#after).map(formatSize);
    if (!before || !now) return '';
    return msg(str`Size before: ${before}, now: ${now}.`, { id: 'mcp.resource-view.sizes' });
  }

  #baselineOf(reading: ResourceReading): Baseline {
    return { lines: shownLines(this.#host.view.renderRoot).map(({ text }) => text), reading };
  }

  #isRecent(): boolean {
    return performance.now() - this.#markedAt < ONE_UPDATE_MS;
  }

  /** The baseline of the previous update, while its marks are shown. */
  #recentBaseline(): Baseline | undefined {
    return this.#isShown && this.#isRecent() ? this.#baseline : undefined;
  }
}

/** Whether a reading has other contents than the previous one of the same resource. */
function isChanged(before: ResourceReading, after: ResourceReading): boolean {
  const [old, now] = [before.result.contents, after.result.contents];
  if (old.length !== now.length) return true;
  const isPart = before.part !== undefined || after.part !== undefined;
  return old.some((one, index) => differ(one, now[index]!, isPart));
}

function differ(old: ResourceContents, now: ResourceContents, isPart: boolean): boolean {
  if ('text' in old && 'text' in now) {
    // The user may have asked for more of the same text.
    const length = isPart ? Math.min(old.text.length, now.text.length) : Infinity;
    return old.text.slice(0, length) !== now.text.slice(0, length);
  }
  if (!('blob' in old && 'blob' in now) || old.blob !== now.blob) return true;
  // The bytes of a handle are not read.
  return factsIn(old).revision !== factsIn(now).revision;
}

/**
 * The sizes before and after of the changed contents that are not texts; empty if no such content has
 * changed.
 */
function bytesOfChanged(
  before: ResourceReading | undefined,
  after: ResourceReading | undefined,
): number[] {
  const [old, now] = [before, after].map((reading) => reading?.result.contents ?? []);
  const pairs = now!.flatMap((one, index) => {
    const other =
      old!.length === now!.length ? old![index]! : old!.find(({ uri }) => uri === one.uri);
    const isBytes = other && 'blob' in one && 'blob' in other && differ(other, one, false);
    return isBytes ? [[sizeOf(other), sizeOf(one)] as const] : [];
  });
  if (pairs.length === 0) return [];
  return [0, 1].map((at) => pairs.reduce((sum, pair) => sum + pair[at]!, 0));
}

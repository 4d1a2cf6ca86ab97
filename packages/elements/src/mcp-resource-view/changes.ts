import { msg, str } from '@lit/localize';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import { authorOfAll } from '../reading/change-author.js';
import type { ResourceReading } from '../reading/resource-controller.js';
import { factsIn } from '../reading/resource-facts.js';
import { chevronIcon, closeIcon, icon } from '../look/icons.js';
import { formatNumber } from '../text/format.js';
import { truncateText } from '../text/truncate-text.js';
import { adoptStyles } from './adopt-styles.js';
import { isChanged, shownTexts } from './changed-contents.js';
import { McpResourceChangeEvent } from './events.js';
import { styles } from './changes.styles.js';
import { changesOf, wordsOf, type Word, type WordChange } from './word-changes.js';

/** More changes are not marked one by one. */
const MAX_CHANGES = 1_000;

/** Updates that follow one another within this time count as one, in milliseconds. */
const ONE_UPDATE_MS = 5_000;

/** Names of the highlights of the page (CSS Custom Highlight API), which all views share. */
const NAMES = {
  added: 'mcp-changed',
  removed: 'mcp-changed-removed',
  current: 'mcp-changed-current',
} as const;

interface ChangesHost {
  view: LitElement;
  announce: (text: string) => void;
}

/** A change, in the document. */
interface MarkedChange {
  range: StaticRange;
  added: string;
  removed: string;
}

/**
 * What the last update has changed: highlights, which leave the document as it is, and a bar with the
 * way from change to change. A browser without highlights shows the bar alone.
 */
export class Changes {
  readonly #host: ChangesHost;
  /** The texts before an update that is about to be shown. */
  #before: readonly string[] | undefined;
  /** The texts before the update that is marked, and when that was shown. */
  #baseline: readonly string[] | undefined;
  #markedAt = -Infinity;
  #isShown = false;
  #by: string | undefined;
  #changes: readonly MarkedChange[] = [];
  #current = -1;
  readonly #marks: [name: string, range: StaticRange][] = [];

  constructor(host: ChangesHost) {
    this.#host = host;
    adoptStyles(host.view.renderRoot as ShadowRoot, styles);
  }

  /** How many places have changed words; 0 also if they are too many to be found. */
  get count(): number {
    return this.#changes.length;
  }

  /** Compares a reading with the one that is shown until now. */
  compare(shown: ResourceReading, reading: ResourceReading): void {
    if (!isChanged(shown, reading)) return;
    const { view } = this.#host;
    const [first] = reading.result.contents;
    const { metas = [], uri } = reading;
    const author = authorOfAll(metas);
    const by = (first && factsIn(first).changedBy) ?? author.name;
    const event = new McpResourceChangeEvent(uri, by, author.isOwn);
    const isOwn = !view.dispatchEvent(event) || event.isOwn;
    const before = this.#before ?? this.#recentBaseline() ?? textsOf(shownTexts(view.renderRoot));
    this.clear();
    this.#by = event.by;
    this.#before = isOwn ? undefined : before;
  }

  /** Marks what is shown now against what was shown before the update, if there was one. */
  mark(): void {
    const before = this.#before;
    this.#before = undefined;
    if (!before) return;
    const isFirst = !this.#isRecent();
    this.#baseline = before;
    this.#markedAt = performance.now();
    this.#isShown = true;
    this.#changes = findChanges(before, shownTexts(this.#host.view.renderRoot));
    for (const { range, added } of this.#changes)
      this.#highlight(added ? NAMES.added : NAMES.removed, range);
    this.#host.view.requestUpdate();
    if (isFirst) this.#host.announce(this.#announcement());
  }

  #announcement(): string {
    const by = this.#by && truncateText(this.#by, 80);
    return by
      ? msg(str`The resource was updated by ${by}.`, { id: 'mcp.resource-view.was-updated-by' })
      : msg('The resource was updated.', { id: 'mcp.resource-view.updated' });
  }

  #isRecent(): boolean {
    return performance.now() - this.#markedAt < ONE_UPDATE_MS;
  }

  /** What the update before is compared with, while its marks are there. */
  #recentBaseline(): readonly string[] | undefined {
    return this.#isShown && this.#isRecent() ? this.#baseline : undefined;
  }

  /** Removes all marks, and the bar. */
  clear(): void {
    for (const [name, range] of this.#marks.splice(0)) CSS.highlights.get(name)?.delete(range);
    this.#changes = [];
    this.#current = -1;
    this.#isShown = false;
    this.#before = undefined;
  }

  /** Goes on by a step, in a circle. */
  goTo(step: 1 | -1): void {
    const { count } = this;
    if (count === 0) return;
    this.#current = (Math.max(this.#current, step === 1 ? -1 : 0) + step + count) % count;
    const { range } = this.#changes[this.#current]!;
    CSS.highlights?.get(NAMES.current)?.clear();
    this.#highlight(NAMES.current, range);
    range.startContainer.parentElement?.scrollIntoView({ block: 'center' });
    this.#host.announce(this.#describe());
    this.#host.view.requestUpdate();
  }

  render(): TemplateResult | typeof nothing {
    if (!this.#isShown) return nothing;
    return html`<div class="changes" part="changes" role="group" aria-label=${this.#label()}>
      <span class="what"><bdi>${this.#label()}</bdi> ${this.#renderCurrent()}</span>
      ${this.count > 0 ? this.#renderSteps() : nothing}
      <button
        class="quiet"
        aria-label=${dismissLabel()}
        title=${dismissLabel()}
        @click=${this.#dismiss}
      >
        ${icon(closeIcon)}
      </button>
    </div>`;
  }

  #label(): string {
    const by = this.#by && truncateText(this.#by, 80);
    const count = formatNumber(this.count);
    if (this.count === 0)
      return by
        ? msg(str`Updated by ${by}`, { id: 'mcp.resource-view.updated-by' })
        : msg('Updated', { id: 'mcp.resource-view.updated-short' });
    return by
      ? msg(str`Updated by ${by}. Changes: ${count}`, { id: 'mcp.resource-view.changes-by' })
      : msg(str`Updated. Changes: ${count}`, { id: 'mcp.resource-view.changes' });
  }

  /** Where the user is, and what was there before: a removed word is nowhere else. */
  #renderCurrent(): TemplateResult | typeof nothing {
    const current = this.#changes[this.#current];
    if (!current) return nothing;
    const position = `${formatNumber(this.#current + 1)}/${formatNumber(this.count)}`;
    return html`<span class="position">${position}</span>
      ${current.removed ? html`<del>${current.removed}</del>` : nothing}
      ${current.added ? html`<ins>${current.added}</ins>` : nothing}`;
  }

  #renderSteps(): TemplateResult {
    const previous = msg('Previous change', { id: 'mcp.resource-view.previous-change' });
    const next = msg('Next change', { id: 'mcp.resource-view.next-change' });
    return html`<button
        class="quiet previous"
        aria-label=${previous}
        title=${previous}
        @click=${() => this.goTo(-1)}
      >
        ${icon(chevronIcon)}
      </button>
      <button class="quiet next" aria-label=${next} title=${next} @click=${() => this.goTo(1)}>
        ${icon(chevronIcon)}
      </button>`;
  }

  #dismiss = (): void => {
    this.clear();
    this.#host.view.requestUpdate();
  };

  #describe(): string {
    const { added, removed } = this.#changes[this.#current]!;
    const [at, all] = [formatNumber(this.#current + 1), formatNumber(this.count)];
    const [now, before] = [added, removed];
    if (now && before)
      return msg(str`Change ${at} of ${all}: “${now}” instead of “${before}”`, {
        id: 'mcp.resource-view.change-replaced',
      });
    return now
      ? msg(str`Change ${at} of ${all}: “${now}” is new`, { id: 'mcp.resource-view.change-added' })
      : msg(str`Change ${at} of ${all}: “${before}” was removed`, {
          id: 'mcp.resource-view.change-removed',
        });
  }

  #highlight(name: string, range: StaticRange): void {
    // Firefox has it from 140 on.
    if (!('highlights' in CSS)) return;
    const highlight = CSS.highlights.get(name) ?? new Highlight();
    if (name === NAMES.current) highlight.priority = 1;
    CSS.highlights.set(name, highlight.add(range));
    this.#marks.push([name, range]);
  }
}

function textsOf(nodes: readonly Text[]): string[] {
  return nodes.map(({ data }) => data);
}

function findChanges(before: readonly string[], nodes: readonly Text[]): MarkedChange[] {
  const old = wordsOf(before);
  const texts = textsOf(nodes);
  const words = wordsOf(texts);
  const changes = old && words && words.length > 0 ? (changesOf(old, words) ?? []) : [];
  return changes.slice(0, MAX_CHANGES).map((change) => ({
    range: rangeOf(change, words!, nodes),
    added: excerpt(words!.slice(change.start, change.end), texts),
    removed: excerpt(change.removed, before),
  }));
}

/** The changed words; where words were only removed, the word after them, or else the last. */
function rangeOf(
  { start, end }: WordChange,
  words: readonly Word[],
  nodes: readonly Text[],
): StaticRange {
  const first = words[Math.min(start, words.length - 1)]!;
  const last = words[Math.max(start, end - 1)] ?? first;
  return new StaticRange({
    startContainer: nodes[first.at]!,
    startOffset: first.start,
    endContainer: nodes[last.at]!,
    endOffset: last.start + last.text.length,
  });
}

/** What stands from the first of some words to the last, short enough for a line. */
function excerpt(words: readonly Word[], texts: readonly string[]): string {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return '';
  const end = last.start + last.text.length;
  if (first.at === last.at) return truncateText(texts[first.at]!.slice(first.start, end), 80);
  const some = words.slice(0, 20).map(({ text }) => text);
  return truncateText(some.join(' '), 80);
}

function dismissLabel(): string {
  return msg('Remove the marks', { id: 'mcp.resource-view.dismiss-changes' });
}

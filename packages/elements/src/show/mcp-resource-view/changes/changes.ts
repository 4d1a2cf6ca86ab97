import { msg, str } from '@lit/localize';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import { authorOfAll } from '../../../reading/change-author.js';
import type { ResourceReading } from '../../../reading/resource-controller.js';
import { chevronIcon, closeIcon, icon } from '../../../base/look/icons.js';
import { formatNumber, formatSize } from '../../../base/text/format.js';
import { truncateText } from '../../../base/text/truncate-text.js';
import { adoptStyles } from '../../../base/look/adopt-styles.js';
import { bytesOfChanged, isChanged, shownTexts } from './changed-contents.js';
import { McpResourceChangeEvent } from './change-event.js';
import { styles } from './changes.styles.js';
import type { MarkedChange } from './marked-change.js';
import type * as Renderers from './renderer-changes.js';
import { TextChanges, textsOf } from './text-changes.js';

/** More changes are not marked one by one. */
const MAX_CHANGES = 1_000;

/** Updates that follow one another within this time count as one, in milliseconds. */
const ONE_UPDATE_MS = 5_000;

interface ChangesHost {
  view: LitElement;
  announce: (text: string) => void;
}

/** What was shown before an update. */
interface Baseline {
  /** The texts in the document. */
  texts: readonly string[];
  reading: ResourceReading;
}

/**
 * What the last update has changed: marks in what is shown, and a bar with the way from change to
 * change. Of what has no words, the bar names the sizes before and after.
 */
export class Changes {
  readonly #host: ChangesHost;
  /** What was there before an update that is about to be shown. */
  #before: Baseline | undefined;
  /** What was there before the update that is marked, and when that was shown. */
  #baseline: Baseline | undefined;
  #after: ResourceReading | undefined;
  #markedAt = -Infinity;
  #isShown = false;
  #by: string | undefined;
  #changes: readonly MarkedChange[] = [];
  #current = -1;
  readonly #texts = new TextChanges();
  #renderers: typeof Renderers | undefined;
  #work = new AbortController();

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
    const { name, isOwn: isByClient } = authorOfAll(reading.metas ?? []);
    const event = new McpResourceChangeEvent(reading.uri, name, isByClient);
    const isOwn = !view.dispatchEvent(event) || event.isOwn;
    const before = this.#before ?? this.#recentBaseline() ?? this.#baselineOf(shown);
    this.clear();
    this.#by = event.by && truncateText(event.by, 80);
    this.#before = isOwn ? undefined : before;
    this.#after = reading;
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
    const nodes = shownTexts(this.#host.view.renderRoot);
    this.#changes = this.#texts.mark(before.texts, nodes, MAX_CHANGES);
    this.#host.view.requestUpdate();
    void this.#markRenderers(before.reading);
    if (isFirst) this.#host.announce(this.#announcement());
  }

  #announcement(): string {
    const by = this.#by;
    const updated = by
      ? msg(str`The resource was updated by ${by}.`, { id: 'mcp.resource-view.was-updated-by' })
      : msg('The resource was updated.', { id: 'mcp.resource-view.updated' });
    return `${updated} ${this.#sizes()}`.trim();
  }

  /** Marks what renderers show. They draw again what they have: that their marks come later is all. */
  async #markRenderers({ part, result }: ResourceReading): Promise<void> {
    const { view } = this.#host;
    if (!view.renderRoot.querySelector('.renderer')) return;
    const { signal } = (this.#work = new AbortController());
    try {
      this.#renderers ??= await import('./renderer-changes.js');
      signal.throwIfAborted();
      const search = {
        before: result.contents,
        isPartial: part !== undefined,
        max: MAX_CHANGES - this.count,
        signal,
      };
      const marked = await this.#renderers.markRenderers(view.renderRoot, search);
      this.#changes = [...this.#changes, ...marked];
      view.requestUpdate();
    } catch {
      // Without marks the bar still says that there was an update.
    }
  }

  #baselineOf(reading: ResourceReading): Baseline {
    return { texts: textsOf(shownTexts(this.#host.view.renderRoot)), reading };
  }

  #isRecent(): boolean {
    return performance.now() - this.#markedAt < ONE_UPDATE_MS;
  }

  /** What the update before is compared with, while its marks are there. */
  #recentBaseline(): Baseline | undefined {
    return this.#isShown && this.#isRecent() ? this.#baseline : undefined;
  }

  /** Removes all marks, and the bar. */
  clear(): void {
    this.#work.abort();
    this.#texts.clear();
    this.#renderers?.clearRenderers(this.#host.view.renderRoot);
    this.#changes = [];
    this.#current = -1;
    this.#isShown = false;
    this.#before = undefined;
  }

  /** Goes on by a step, in a circle. */
  goTo(step: 1 | -1): void {
    const { count } = this;
    if (count === 0) return;
    this.#changes[this.#current]?.leave();
    this.#current = (Math.max(this.#current, step === 1 ? -1 : 0) + step + count) % count;
    this.#changes[this.#current]!.enter();
    this.#host.announce(this.#describe());
    this.#host.view.requestUpdate();
  }

  render(): TemplateResult | typeof nothing {
    if (!this.#isShown) return nothing;
    return html`<div class="changes" part="changes" role="group" aria-label=${this.#label()}>
      <span class="what"
        ><bdi>${this.#label()}</bdi> ${this.#renderSizes()} ${this.#renderCurrent()}</span
      >
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
    const by = this.#by;
    const count = formatNumber(this.count);
    if (this.count === 0)
      return by
        ? msg(str`Updated by ${by}`, { id: 'mcp.resource-view.updated-by' })
        : msg('Updated', { id: 'mcp.resource-view.updated-short' });
    return by
      ? msg(str`Updated by ${by}. Changes: ${count}`, { id: 'mcp.resource-view.changes-by' })
      : msg(str`Updated. Changes: ${count}`, { id: 'mcp.resource-view.changes' });
  }

  /** How large the bytes were that have changed, and how large they are. */
  #sizes(): string {
    const [before, now] = bytesOfChanged(this.#baseline?.reading, this.#after).map(formatSize);
    if (!before || !now) return '';
    return msg(str`Size before: ${before}, now: ${now}.`, { id: 'mcp.resource-view.sizes' });
  }

  #renderSizes(): TemplateResult | typeof nothing {
    const sizes = this.count === 0 && this.#sizes();
    return sizes ? html`· <bdi>${sizes}</bdi>` : nothing;
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
}

function dismissLabel(): string {
  return msg('Remove the marks', { id: 'mcp.resource-view.dismiss-changes' });
}

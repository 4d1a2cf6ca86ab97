import type { McpClient, Resource, ResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import { LazyPart } from '../../base/element/lazy-part.js';
import { renderLoading } from '../../base/look/messages.js';
import { isEmpty } from '../../reading/content-size.js';
import type { ResourceReading } from '../../reading/resource-controller.js';
import { formatNumber, formatSize } from '../../base/text/format.js';
import { nameOf } from '../../base/text/name-of.js';
import { adoptStyles } from '../../base/look/adopt-styles.js';
import { kindOf, type ViewMode } from './content/content-kind.js';
import { McpResourceLinkEvent } from './content/events.js';
import type { ShownContent } from './content/shown-content.js';
import { renderMore } from './kinds/portioned-text.js';
import { ShownContents } from './kinds/shown-contents.js';
import { styles } from './view-body.styles.js';

/** The view, as its body sees it. */
interface View extends LitElement {
  uri: string | undefined;
  readonly resource: Resource | undefined;
  readonly followLinks: boolean;
  reload(): void;
}

/** A reading, and how to show it. */
interface Version {
  reading: ResourceReading;
  client: McpClient | undefined;
  mode: ViewMode;
}

/** What the view does for its body. */
interface BodyCallbacks {
  /** Called when all of a version is shown. */
  onready: () => void;
  /** Has a text announced. */
  announce: (text: string) => void;
  /** Called when the user wants more than was read. */
  readMore: () => void;
  /** Called when the user has chosen an encoding. */
  readIn: (encoding: string) => void;
}

/** What a view shows of a resource; loaded while the resource is read for the first time. */
export class ViewBody {
  readonly #view: View;
  readonly #callbacks: BodyCallbacks;
  readonly #contents: ShownContents;
  #reading: ResourceReading | undefined;
  #client: McpClient | undefined;
  readonly #trail = new LazyPart(async () => {
    const { Trail } = await import('./trail.js');
    return new Trail(this.#view, this.#callbacks.announce);
  });
  readonly #encodings = new LazyPart(
    () => import('./render-encoding.js'),
    (isThere) => isThere && this.#view.requestUpdate(),
  );

  constructor(host: View, callbacks: BodyCallbacks) {
    this.#view = host;
    this.#callbacks = callbacks;
    this.#contents = new ShownContents(host, {
      onready: () => this.#onReady(),
      openLink: (uri) => void this.#openLink(uri),
    });
    adoptStyles(host.renderRoot as ShadowRoot, styles);
  }

  /** Shows a version; while it is prepared, the one before stays. */
  show({ reading, client, mode }: Version): void {
    this.#reading = reading;
    this.#client = client;
    const { uri, part, result } = reading;
    const isPartial = part !== undefined;
    this.#contents.show({ uri, client, contents: result.contents, mode, isPartial });
  }

  /** Shows nothing. */
  clear(): void {
    this.#reading = undefined;
    this.#contents.clear();
  }

  render(): TemplateResult {
    if (!this.#reading) return renderLoading();
    const { encoding } = this.#reading;
    return html`${encoding?.isGuess ? this.#renderEncoding(encoding.name) : nothing}
    ${this.#renderContents(this.#reading)}${renderUnusable(this.#reading)}`;
  }

  /** The way back, where the user has followed a link. */
  renderTrail(): TemplateResult | typeof nothing {
    // The way begins at the first link.
    if (this.#view.followLinks) void this.#trail.load();
    return this.#trail.value?.render(this.#client) ?? nothing;
  }

  /** Goes back from where a link has led. */
  back(): void {
    this.#trail.value?.back();
  }

  /** Says that the resource has changed while updates are paused. */
  renderMissed(): TemplateResult {
    return html`<p class="remark" role="status">
      ${msg('The resource has changed since it was read.', { id: 'mcp.resource-view.missed' })}
      <button @click=${() => this.#view.reload()}>
        ${msg('Show the changes', { id: 'mcp.resource-view.catch-up' })}
      </button>
    </p>`;
  }

  #onReady(): void {
    this.#callbacks.onready();
    if (this.#reading) this.#trail.value?.arrive(this.#reading);
  }

  async #openLink(uri: string): Promise<void> {
    const view = this.#view;
    const [reading, client] = [this.#reading, this.#client];
    if (!view.dispatchEvent(new McpResourceLinkEvent(uri)) || !view.followLinks) return;
    // Without the way back, links lead on.
    const trail = this.#trail.value ?? (await this.#trail.load());
    // While the trail was loaded, the page may have chosen another resource.
    if (!reading || view.uri !== reading.uri) return;
    if (trail) trail.follow(uri, reading, client);
    else view.uri = uri;
  }

  /** Says that the encoding of a text is a guess, and lets the user choose another. */
  #renderEncoding(name: string): TemplateResult | undefined {
    void this.#encodings.load();
    return this.#encodings.value?.renderEncoding(name, this.#callbacks.readIn);
  }

  #renderContents({ result: { contents }, part }: ResourceReading): TemplateResult {
    if (contents.every(isEmpty)) {
      return html`<div class="message">
        ${msg('This resource is empty.', { id: 'mcp.resource-view.empty' })}
      </div>`;
    }
    const shown = this.#contents.shown.slice(0, contents.length);
    if (shown.length === 0) return renderLoading();
    if (contents.length > 1) return this.#renderAll(shown, contents);
    return html`${renderOne(shown[0]!)} ${part ? this.#renderRest(part) : nothing}`;
  }

  #renderAll(
    shown: readonly ShownContent[],
    contents: readonly ResourceContents[],
  ): TemplateResult {
    const [part, all] = [formatNumber(shown.length), formatNumber(contents.length)];
    const howMuch = msg(str`${part} of ${all} contents`, { id: 'mcp.resource-view.contents' });
    return html`${shown.map((one, index) => renderAmongOthers(one, contents[index]!))}
    ${
      contents.length > this.#contents.limit
        ? renderMore(howMuch, () => this.#contents.showMoreContents())
        : nothing
    }`;
  }

  #renderRest({ loaded, size }: { loaded: number; size: number }): TemplateResult {
    const [part, all] = [formatSize(loaded), formatSize(size)];
    return renderMore(msg(str`${part} of ${all}`, { id: 'mcp.resource-view.bytes' }), () => {
      this.#contents.expectMore();
      this.#callbacks.readMore();
    });
  }
}

/** One of several, as in a folder: with its name, where it does not show that by itself. */
function renderAmongOthers(shown: ShownContent, contents: ResourceContents): TemplateResult {
  const isNamed = kindOf(contents) === 'file';
  const name = nameOf(contents.uri);
  return html`<section class="one" part="one" aria-label=${name}>
    ${isNamed ? nothing : html`<p class="name">${name}</p>`} ${renderOne(shown)}
  </section>`;
}

function renderOne(shown: ShownContent): TemplateResult {
  return shown.isReady ? shown.render() : renderLoading();
}

/** Says how much is missing. */
function renderUnusable({ result: { unusable = 0 } }: ResourceReading): TemplateResult | undefined {
  if (unusable === 0) return undefined;
  const count = formatNumber(unusable);
  return html`<p class="name" role="note">
    ${msg(str`Parts of this resource that cannot be shown: ${count}`, {
      id: 'mcp.resource-view.unusable',
    })}
  </p>`;
}

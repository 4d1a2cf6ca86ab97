import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { adoptStyles } from '../../base/look/adopt-styles.js';
import { loadPart } from '../../base/look/load-part.js';
import { renderLoading, renderOutdated } from '../../base/look/messages.js';
import { formatNumber, formatSize } from '../../base/text/format.js';
import { nameOf } from '../../base/text/name-of.js';
import { isEmpty } from '../../reading/content-size.js';
import { isDiskFolder } from '../../reading/disk.js';
import type { ResourceReading } from '../../reading/resource-controller.js';
import { Slices } from '../../reading/slices.js';
import { readText, type TextPart } from '../renderers/reading.js';
import { Refusal } from '../renderers/renderer.js';
import { McpResourceLinkEvent } from './content/events.js';
import { kindOf, type Kind, type ViewMode } from './content/kinds.js';
import {
  focusContent,
  unloadedInWords,
  type Showing,
  type ShownContent,
} from './content/shown-content.js';
import type { View } from './content/view.js';
import { PortionedText, renderMore } from './kinds/portioned-text.js';
import { ShownElement } from './kinds/shown-element.js';
import { ShownFile } from './kinds/shown-file.js';
import { renderEncoding } from './render-encoding.js';
import { Trail } from './trail.js';
import { styles } from './view-body.styles.js';

/** The number of contents of one resource that are shown at first. */
const FIRST_CONTENTS = 100;

/**
 * The length of the part of a text that is shown at first, in UTF-16 code units; and of one text among
 * several.
 */
const FIRST_LENGTH = 65_536;
const FIRST_LENGTH_OF_SEVERAL = 8_192;

/** The maximum size of bytes that are read as a text. */
const MAX_TEXT_BYTES = 1_048_576;

/** A reading, and the way to show it. */
interface Version {
  reading: ResourceReading;
  client: McpClient | undefined;
  mode: ViewMode;
}

/** The callbacks of the view for its body. */
interface BodyCallbacks {
  /** Called when all of a version is shown. */
  onready: () => void;
  /** Announces a text. */
  announce: (text: string) => void;
  /** Called when the user wants to read more. */
  readMore: () => void;
  /** Called when the user has chosen an encoding. */
  readIn: (encoding: string) => void;
}

/**
 * The body of a view: a first part of each content, prepared in slices, and more of it when the user asks.
 * While another version of the resource is prepared, the previous one stays. Loaded while the resource is
 * read for the first time.
 */
export class ViewBody implements ReactiveController, Showing {
  readonly #view: View;
  readonly #callbacks: BodyCallbacks;
  #version: Version | undefined;
  #limit = FIRST_CONTENTS;
  /** The contents that are ready to be shown, in their order. */
  #shown: ShownContent[] = [];
  /** The contents that are not shown in their format. */
  readonly #refusals = new WeakMap<ResourceContents, Refusal>();
  /** The texts of contents that are bytes. */
  readonly #texts = new WeakMap<ResourceContents, TextPart>();
  /** The index of the content that gets the focus as soon as it is shown. */
  #focusAt = -1;
  #work = new AbortController();
  #life = new AbortController();
  readonly #trail: Trail;

  constructor(host: View, callbacks: BodyCallbacks) {
    this.#view = host;
    this.#callbacks = callbacks;
    this.#trail = new Trail(host, callbacks.announce);
    adoptStyles(host.renderRoot as ShadowRoot, styles);
    host.addController(this);
  }

  get client(): McpClient | undefined {
    return this.#version?.client;
  }

  get uri(): string {
    return this.#version?.reading.uri ?? '';
  }

  get root(): ShadowRoot {
    return this.#view.renderRoot as ShadowRoot;
  }

  get signal(): AbortSignal {
    return this.#life.signal;
  }

  get isPartial(): boolean {
    return this.#version?.reading.part !== undefined;
  }

  /** Shows a version. While it is prepared, the previous one stays. */
  show(version: Version): void {
    this.#version = version;
    this.prepare();
  }

  /** Shows nothing, and forgets the choices of the user. */
  clear(): void {
    this.#work.abort();
    this.#life.abort();
    this.#life = new AbortController();
    this.#version = undefined;
    this.#limit = FIRST_CONTENTS;
    this.#focusAt = -1;
    for (const one of this.#shown.splice(0)) one.dispose?.();
  }

  hostDisconnected(): void {
    this.clear();
  }

  hostUpdated(): void {
    const asked = this.root.querySelectorAll<HTMLElement>('.one')[this.#focusAt];
    if (asked) {
      this.#focusAt = -1;
      focusContent(asked);
    }
    for (const one of this.#shown) one.focusNew?.();
  }

  requestUpdate(): void {
    this.#view.requestUpdate();
  }

  prepare(): void {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    if (!this.#version) return;
    this.#prepareAll(this.#version, new Slices(signal, () => this.requestUpdate())).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error;
      },
    );
  }

  refuse(contents: ResourceContents, refusal: Refusal): void {
    this.#refusals.set(contents, refusal);
    this.prepare();
  }

  openLink(uri: string): void {
    const view = this.#view;
    const { reading, client } = this.#version ?? {};
    if (!view.dispatchEvent(new McpResourceLinkEvent(uri)) || !view.followLinks) return;
    // A listener may have chosen another resource.
    if (reading && view.uri === reading.uri) this.#trail.follow(uri, reading, client);
  }

  /** Goes back from the target of a link. */
  back(): void {
    this.#trail.back();
  }

  async #prepareAll(version: Version, slices: Slices): Promise<void> {
    const { reading } = version;
    const contents = reading.result.contents.slice(0, this.#limit);
    for (const [index, one] of contents.entries()) await this.#prepareOne(index, one, slices);
    slices.throwIfAborted();
    for (const one of this.#shown.splice(contents.length)) one.dispose?.();
    this.requestUpdate();
    await this.#view.updateComplete;
    slices.throwIfAborted();
    this.#callbacks.onready();
    this.#trail.arrive(reading);
  }

  async #prepareOne(index: number, contents: ResourceContents, slices: Slices): Promise<void> {
    await slices.next();
    const before = this.#shown[index];
    const kind = this.#kindOf(contents);
    try {
      const shown = await this.#contentsFor(contents, kind, slices);
      const remark = this.#remarkOn(contents, kind);
      const isSame = before?.kind === kind && before.accepts(shown, remark);
      const one = isSame ? before : await this.#create(shown, kind, remark);
      slices.throwIfAborted();
      // The shown content stays until the new one is ready. Without a shown content, the new one grows.
      if (!before) this.#shown[index] = one;
      await one.prepare(slices);
      if (one !== before) before?.dispose?.();
      this.#shown[index] = one;
    } catch (error) {
      slices.throwIfAborted();
      if (this.#refusals.has(contents)) throw error;
      this.#refusals.set(contents, error instanceof Refusal ? error : unloaded(contents, error));
      await this.#prepareOne(index, contents, slices);
    }
  }

  #kindOf(contents: ResourceContents): Kind {
    const kind = kindOf(contents, this.#version?.mode);
    const refusal = kind === 'text' ? undefined : this.#refusals.get(contents);
    return refusal ? (refusal.isText ? 'code' : 'file') : kind;
  }

  /**
   * Contents in the form that the kind shows: with the text of bytes for a kind that shows texts, and a
   * folder as links.
   */
  async #contentsFor(
    contents: ResourceContents,
    kind: Kind,
    slices: Slices,
  ): Promise<ResourceContents> {
    if ('text' in contents && kind === 'markdown' && isDiskFolder(contents.uri)) {
      const { folderLinks } = await loadPart(() => import('./markdown/folder-links.js'));
      return { ...contents, text: folderLinks(contents) };
    }
    if ('text' in contents || !isOfTexts(kind)) return contents;
    const { uri, mimeType } = contents;
    const known = this.#texts.get(contents) ?? (await readText(contents, slices, MAX_TEXT_BYTES));
    this.#texts.set(contents, known);
    return { uri, mimeType, text: known.text };
  }

  /** The reason why contents are not shown in their format, or as a whole; empty if they are. */
  #remarkOn(contents: ResourceContents, kind: Kind): string | TemplateResult {
    if (kind === 'text') return '';
    const refusal = this.#refusals.get(contents);
    return refusal || !this.#texts.get(contents)?.isCut
      ? renderOutdated(refusal?.message ?? '', refusal?.cause)
      : msg('Only the first part of this resource is shown.', { id: 'mcp.renderers.partial' });
  }

  async #create(
    contents: ResourceContents,
    kind: Kind,
    remark: string | TemplateResult,
  ): Promise<ShownContent> {
    const isOnly = this.#version?.reading.result.contents.length === 1;
    const limit = isOnly ? FIRST_LENGTH : FIRST_LENGTH_OF_SEVERAL;
    // For bytes, it shows only the reason why they are not shown.
    const text = 'text' in contents ? contents : { uri: contents.uri, text: '' };
    if (isOfTexts(kind)) return new PortionedText(text, this, { limit, kind, remark });
    return kind === 'image' || kind === 'file'
      ? new ShownFile(contents, this, kind, remark)
      : await ShownElement.of(kind, contents, this);
  }

  render(): TemplateResult {
    if (!this.#version) return renderLoading();
    const { reading } = this.#version;
    const { encoding } = reading;
    return html`${encoding?.isGuess ? renderEncoding(encoding.name, this.#callbacks.readIn) : nothing}
    ${this.#renderContents(reading)}${renderUnusable(reading)}`;
  }

  /**
   * Renders the way back, if the user has followed a link.
   *
   * @param client The client of the view. The target of a link may not exist, so that nothing is shown.
   */
  renderTrail(client: McpClient | undefined): TemplateResult | typeof nothing {
    return this.#trail.render(client);
  }

  /** Renders the message that the resource has changed while updates are paused. */
  renderMissed(): TemplateResult {
    return html`<p class="remark" role="status">
      ${msg('The resource has changed since it was read.', { id: 'mcp.resource-view.missed' })}
      <button @click=${() => this.#view.reload()}>
        ${msg('Show the changes', { id: 'mcp.resource-view.catch-up' })}
      </button>
    </p>`;
  }

  #renderContents({ result: { contents }, part }: ResourceReading): TemplateResult {
    if (contents.every(isEmpty)) {
      return html`<div class="message">
        ${msg('This resource is empty.', { id: 'mcp.resource-view.empty' })}
      </div>`;
    }
    const shown = this.#shown.slice(0, contents.length);
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
    const more = (): void => {
      this.#focusAt = this.#shown.length;
      this.#limit *= 2;
      this.prepare();
    };
    return html`${shown.map((one, index) => renderAmongOthers(one, contents[index]!))}
    ${contents.length > this.#limit ? renderMore(howMuch, more) : nothing}`;
  }

  #renderRest({ loaded, size }: { loaded: number; size: number }): TemplateResult {
    const [part, all] = [formatSize(loaded), formatSize(size)];
    return renderMore(msg(str`${part} of ${all}`, { id: 'mcp.resource-view.bytes' }), () => {
      for (const one of this.#shown) if (one instanceof PortionedText) one.askForMore();
      this.#callbacks.readMore();
    });
  }
}

function unloaded(contents: ResourceContents, cause: unknown): Refusal {
  return new Refusal(unloadedInWords(), 'text' in contents, cause);
}

function isOfTexts(kind: Kind): kind is 'text' | 'markdown' | 'code' {
  return kind === 'text' || kind === 'markdown' || kind === 'code';
}

/** Renders one of several contents, as in a folder: with its name, unless the content shows it. */
function renderAmongOthers(shown: ShownContent, contents: ResourceContents): TemplateResult {
  const name = nameOf(contents.uri);
  return html`<section class="one" part="one" aria-label=${name}>
    ${shown.kind === 'file' ? nothing : html`<p class="name">${name}</p>`} ${renderOne(shown)}
  </section>`;
}

function renderOne(shown: ShownContent): TemplateResult {
  return shown.isReady ? shown.render() : renderLoading();
}

/** Renders the number of missing contents. */
function renderUnusable({ result: { unusable = 0 } }: ResourceReading): TemplateResult | undefined {
  if (unusable === 0) return undefined;
  const count = formatNumber(unusable);
  return html`<p class="name" role="note">
    ${msg(str`Parts of this resource that cannot be shown: ${count}`, {
      id: 'mcp.resource-view.unusable',
    })}
  </p>`;
}

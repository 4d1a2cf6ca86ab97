import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import type { LitElement, ReactiveController } from 'lit';
import { loadPart } from '../../../base/look/load-part.js';
import { Slices } from '../../../reading/slices.js';
import { rendererFor } from '../../renderers/renderers.js';
import { kindOf, type ViewMode } from '../content/content-kind.js';
import { focusContent, PortionedText } from './portioned-text.js';
import type { Showing, ShownContent } from '../content/shown-content.js';
import { ShownElement } from './shown-element.js';

/** How many contents of one resource are shown at first. */
const FIRST_CONTENTS = 100;

/** How much of a text is shown at first, in UTF-16 code units. */
const FIRST_LENGTH = 65_536;

/** The same of one text among several. */
const FIRST_LENGTH_OF_SEVERAL = 8_192;

/** A version of a resource, and how to show it. */
export interface Version {
  uri: string;
  client: McpClient | undefined;
  contents: readonly ResourceContents[];
  mode: ViewMode;
  /** Whether only the beginning of the resource was read. */
  isPartial: boolean;
}

/** What the view does for its contents. */
interface ShownCallbacks {
  /** Called when all of a version is shown. */
  onready: () => void;
  /** Called when the user follows a link to another resource. */
  openLink: (uri: string) => void;
}

/**
 * What is shown of the contents of a resource: a first part of each, prepared in slices, and more of
 * it when the user asks. While another version of the resource is prepared, the one before stays.
 */
export class ShownContents implements ReactiveController {
  readonly #host: LitElement;
  readonly #callbacks: ShownCallbacks;
  #version: Version | undefined;
  #limit = FIRST_CONTENTS;
  #shown: ShownContent[] = [];
  /** Which content is to have the focus as soon as it is shown. */
  #focusAt = -1;
  #work = new AbortController();
  #life = new AbortController();
  readonly #showing: Showing;

  constructor(host: LitElement, callbacks: ShownCallbacks) {
    this.#host = host;
    this.#callbacks = callbacks;
    this.#showing = this.#createShowing();
    host.addController(this);
  }

  /** What is ready to be shown, in the order of the contents. */
  get shown(): readonly ShownContent[] {
    return this.#shown;
  }

  /** How many contents are shown at most. */
  get limit(): number {
    return this.#limit;
  }

  /** Shows a version of a resource. */
  show(version: Version): void {
    this.#version = version;
    this.#prepare();
  }

  /** Shows nothing, and forgets what the user has asked for. */
  clear(): void {
    this.#work.abort();
    this.#life.abort();
    this.#life = new AbortController();
    this.#version = undefined;
    this.#limit = FIRST_CONTENTS;
    this.#focusAt = -1;
    for (const one of this.#shown.splice(0)) one.dispose?.();
  }

  /** Shows twice as many contents. */
  showMoreContents(): void {
    this.#focusAt = this.#shown.length;
    this.#limit *= 2;
    this.#prepare();
  }

  /** Shows twice as much of a text, once that was read. */
  expectMore(): void {
    for (const one of this.#shown) if (one instanceof PortionedText) one.askForMore();
  }

  hostDisconnected(): void {
    this.clear();
  }

  hostUpdated(): void {
    const asked = this.#host.renderRoot.querySelectorAll<HTMLElement>('.one')[this.#focusAt];
    if (asked) {
      this.#focusAt = -1;
      focusContent(asked);
    }
    for (const one of this.#shown) one.focusNew?.();
  }

  #createShowing(): Showing {
    const version = (): Version | undefined => this.#version;
    const signal = (): AbortSignal => this.#life.signal;
    const host = this.#host;
    return {
      get client() {
        return version()?.client;
      },
      get uri() {
        return version()?.uri ?? '';
      },
      get isPartial() {
        return version()?.isPartial ?? false;
      },
      get root() {
        return host.renderRoot as ShadowRoot;
      },
      get signal() {
        return signal();
      },
      requestUpdate: () => host.requestUpdate(),
      prepare: () => this.#prepare(),
      openLink: this.#callbacks.openLink,
    };
  }

  #prepare(): void {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    const slices = new Slices(signal, () => this.#host.requestUpdate());
    if (!this.#version) return;
    this.#prepareAll(this.#version, slices).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  async #prepareAll(version: Version, slices: Slices): Promise<void> {
    const contents = version.contents.slice(0, this.#limit);
    for (const [index, one] of contents.entries()) await this.#prepareOne(index, one, slices);
    for (const one of this.#shown.splice(contents.length)) one.dispose?.();
    this.#host.requestUpdate();
    await this.#host.updateComplete;
    slices.throwIfAborted();
    this.#callbacks.onready();
  }

  async #prepareOne(index: number, contents: ResourceContents, slices: Slices): Promise<void> {
    await slices.next();
    const before = this.#shown[index];
    if (before?.kind === this.#kindOf(contents) && before.accepts(contents)) {
      await before.prepare(slices);
      return;
    }
    const one = await this.#create(contents);
    slices.throwIfAborted();
    // What is there stays until the new one is ready; where there is nothing, it grows.
    if (!before) this.#shown[index] = one;
    await one.prepare(slices);
    before?.dispose?.();
    this.#shown[index] = one;
  }

  #kindOf(contents: ResourceContents): string {
    return kindOf(contents, this.#version?.mode);
  }

  async #create(contents: ResourceContents): Promise<ShownContent> {
    const kind = this.#kindOf(contents);
    if (kind === 'text' || kind === 'markdown') return this.#createText(contents, kind);
    if (kind === 'image' || kind === 'file') return await this.#createFile(contents, kind);
    try {
      await rendererFor(contents)!.load();
      return new ShownElement(kind, contents, this.#showing);
    } catch (failure) {
      if ('text' in contents) return this.#createText(contents, kind, failure);
      return await this.#createFile(contents, kind, failure);
    }
  }

  async #createFile(
    contents: ResourceContents,
    kind: string,
    failure?: unknown,
  ): Promise<ShownContent> {
    try {
      const { ShownFile } = await loadPart(() => import('./shown-file.js'));
      return new ShownFile(contents, this.#showing, kind, failure);
    } catch (error) {
      return this.#createText(contents, kind, error);
    }
  }

  /** Of bytes it shows only why they are not shown. */
  #createText(contents: ResourceContents, kind: string, failure?: unknown): PortionedText {
    const isOnly = this.#version?.contents.length === 1;
    const limit = isOnly ? FIRST_LENGTH : FIRST_LENGTH_OF_SEVERAL;
    const text = 'text' in contents ? contents : { uri: contents.uri, text: '' };
    return new PortionedText(text, this.#showing, { limit, kind, failure });
  }
}

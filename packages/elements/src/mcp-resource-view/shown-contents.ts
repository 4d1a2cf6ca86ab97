import type { ResourceContents } from '@inpage-mcp/client';
import type { LitElement, ReactiveController } from 'lit';
import { Slices } from '../reading/slices.js';
import { focusContent, PortionedText } from './portioned-text.js';
import { isImage, ShownFile } from './shown-file.js';

/** One of the contents, as it is shown. */
export type ShownContent = PortionedText | ShownFile;

/** How many contents of one resource are shown at first. */
const FIRST_CONTENTS = 100;

/** How much of a text is shown at first, in UTF-16 code units. */
const FIRST_LENGTH = 65_536;

/** The same of one text among several. */
const FIRST_LENGTH_OF_SEVERAL = 8_192;

/**
 * What is shown of the contents of a resource: a first part of each, prepared in slices, and more of
 * it when the user asks. While another version of the resource is prepared, the one before stays.
 */
export class ShownContents implements ReactiveController {
  readonly #host: LitElement;
  #contents: readonly ResourceContents[] = [];
  #limit = FIRST_CONTENTS;
  #shown: ShownContent[] = [];
  /** Which content is to have the focus as soon as it is shown. */
  #focusAt = -1;
  #work = new AbortController();

  constructor(host: LitElement) {
    this.#host = host;
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
  show(contents: readonly ResourceContents[]): void {
    if (contents === this.#contents) return;
    this.#contents = contents;
    this.#prepare();
  }

  /** Shows nothing, and forgets what the user has asked for. */
  clear(): void {
    this.#work.abort();
    this.#contents = [];
    this.#limit = FIRST_CONTENTS;
    this.#focusAt = -1;
    for (const one of this.#shown.splice(0)) dispose(one);
  }

  /** Shows twice as many contents. */
  showMoreContents(): void {
    this.#focusAt = this.#shown.length;
    this.#limit *= 2;
    this.#prepare();
  }

  /** Shows more of a text. */
  showMoreOf(text: PortionedText): void {
    text.askForMore();
    this.#prepare();
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
    for (const one of this.#shown) if (one instanceof PortionedText) one.focusNew();
  }

  #prepare(): void {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    const slices = new Slices(signal, () => this.#host.requestUpdate());
    this.#prepareAll(slices).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  async #prepareAll(slices: Slices): Promise<void> {
    const contents = this.#contents.slice(0, this.#limit);
    for (const [index, one] of contents.entries()) await this.#prepareOne(index, one, slices);
    for (const one of this.#shown.splice(contents.length)) dispose(one);
    this.#host.requestUpdate();
  }

  async #prepareOne(index: number, contents: ResourceContents, slices: Slices): Promise<void> {
    await slices.next();
    const before = this.#shown[index];
    if (before?.accepts(contents)) {
      await before.prepare(slices);
      return;
    }
    const one = this.#create(contents);
    // What is there stays until the new one is ready; where there is nothing, it grows.
    if (!before) this.#shown[index] = one;
    await one.prepare(slices);
    if (before) dispose(before);
    this.#shown[index] = one;
  }

  #create(contents: ResourceContents): ShownContent {
    if (isImage(contents) || 'blob' in contents) return new ShownFile(contents);
    const isOnly = this.#contents.length === 1;
    return new PortionedText(contents, isOnly ? FIRST_LENGTH : FIRST_LENGTH_OF_SEVERAL);
  }
}

function dispose(one: ShownContent): void {
  if (one instanceof ShownFile) one.dispose();
}

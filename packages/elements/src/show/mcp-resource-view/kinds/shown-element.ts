import type { ResourceContents } from '@inpage-mcp/client';
import { html, type TemplateResult } from 'lit';
import type { Slices } from '../../../reading/slices.js';
import type { RendererElement } from '../../renderers/renderer.js';
import { loadRenderer, type RendererTag } from '../content/kinds.js';
import { focusContent, type Showing, type ShownContent } from '../content/shown-content.js';

/**
 * Contents that an element of their format shows. The element stays for the next version, with the user's
 * place in it.
 */
export class ShownElement implements ShownContent {
  readonly kind: string;
  isReady = false;
  readonly #element: RendererElement;
  readonly #showing: Showing;
  #contents: ResourceContents;

  /** Creates the element. Rejects if it cannot be loaded. */
  static async of(
    tag: RendererTag,
    contents: ResourceContents,
    showing: Showing,
  ): Promise<ShownElement> {
    await loadRenderer(tag);
    return new ShownElement(tag, contents, showing);
  }

  private constructor(tag: RendererTag, contents: ResourceContents, showing: Showing) {
    this.kind = tag;
    this.#contents = contents;
    this.#showing = showing;
    this.#element = document.createElement(tag) as RendererElement;
    this.#element.className = 'renderer';
    this.#element.onmore = () => showing.prepare();
    this.#element.onrefuse = (refusal) => showing.refuse(this.#contents, refusal);
  }

  accepts(contents: ResourceContents): boolean {
    this.#contents = contents;
    return true;
  }

  async prepare(slices: Slices): Promise<void> {
    this.#element.partial = this.#showing.isPartial;
    await this.#element.show(this.#contents, slices);
    this.isReady = true;
  }

  /** Moves the focus to the element. Returns `false` while it is not in the document. */
  focus(): boolean {
    if (!this.#element.isConnected) return false;
    focusContent(this.#element);
    return true;
  }

  render(): TemplateResult {
    return html`${this.#element}`;
  }

  dispose(): void {
    this.#element.release();
  }
}

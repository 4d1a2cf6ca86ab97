import type { ResourceContents } from '@inpage-mcp/client';
import { html, type TemplateResult } from 'lit';
import type { RendererElement } from '../../renderers/renderer.js';
import { focusContent } from './portioned-text.js';
import type { Showing, ShownContent } from '../content/shown-content.js';

/** Contents that an element of their format shows. It stays for the next version, with its place. */
export class ShownElement implements ShownContent {
  readonly kind: string;
  readonly isReady = true;
  readonly #element: RendererElement;
  readonly #showing: Showing;

  /** @param tag The name of the element, which is defined. */
  constructor(tag: string, contents: ResourceContents, showing: Showing) {
    this.kind = tag;
    this.#showing = showing;
    this.#element = document.createElement(tag) as RendererElement;
    this.#element.className = 'renderer';
    this.accepts(contents);
  }

  accepts(contents: ResourceContents): boolean {
    this.#element.contents = contents;
    this.#element.partial = this.#showing.isPartial;
    return true;
  }

  /** The element prepares itself, once it is in the document. */
  prepare(): Promise<void> {
    return Promise.resolve();
  }

  /** Moves the focus to it; false while it is not in the document. */
  focus(): boolean {
    if (!this.#element.isConnected) return false;
    focusContent(this.#element);
    return true;
  }

  render(): TemplateResult {
    return html`${this.#element}`;
  }
}

import type { ResourceContents } from '@inpage-mcp/client';
import { msg, updateWhenLocaleChanges } from '@lit/localize';
import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { renderError, renderLoading } from '../../base/look/messages.js';
import { Slices } from '../../reading/slices.js';
import { FIRST_LENGTH, MAX_LENGTH, readText, type TextPart } from './reading.js';
import type { ContentChanges, RendererElement } from './renderer.js';

/**
 * What all renderers share: they prepare a model of the contents in slices, and show it. While other
 * contents are prepared, the model before stays on the screen.
 */
export abstract class RendererBase<Model> extends LitElement implements RendererElement {
  static override readonly properties: PropertyDeclarations = {
    contents: { attribute: false },
    partial: { type: Boolean },
    changes: { attribute: false },
  };

  declare contents: ResourceContents | undefined;
  declare partial: boolean;
  declare changes: ContentChanges | undefined;

  /** What is shown; `undefined` until it is ready. */
  protected model: Model | undefined;
  /** Of what the model is. */
  #modelOf: ResourceContents | undefined;
  #error: unknown;
  #work = new AbortController();
  #limit = FIRST_LENGTH;

  constructor() {
    super();
    this.partial = false;
    updateWhenLocaleChanges(this);
  }

  /**
   * Makes the model of the contents. It awaits `slices.next()` before each small unit of work.
   * Rejects where the contents cannot be shown.
   *
   * @param before The model that is shown until then, whose place the new one takes over.
   */
  protected abstract prepare(
    contents: ResourceContents,
    slices: Slices,
    before: Model | undefined,
  ): Promise<Model>;

  /** The model on the screen. */
  protected abstract renderModel(model: Model): unknown;

  /** Lets go of what a model holds, such as an object URL. Called when it is not shown any more. */
  protected release(_model: Model): void {
    // Most models hold nothing but memory.
  }

  /** The changes of what is shown. */
  protected get shownChanges(): ContentChanges | undefined {
    return this.changes?.contents === this.#modelOf ? this.changes : undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Before the first update, that update starts it.
    if (this.hasUpdated && this.contents && !this.model) this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#work.abort();
    this.#replace(undefined);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('contents') && this.isConnected) this.#start();
  }

  protected override render(): unknown {
    if (this.#error !== undefined) return renderError(this.#error);
    return this.model === undefined ? renderLoading() : this.renderModel(this.model);
  }

  /** The text to show: a first part, and more when the user has asked for it. */
  protected async readText(contents: ResourceContents, slices: Slices): Promise<TextPart> {
    return await readText(contents, slices, this.#limit);
  }

  /**
   * Says that only a first part is shown; nothing where the resource is shown as a whole.
   *
   * @param isCut Whether the text goes on, so that the user can have more of it.
   * @param isShort Whether something else of it is not shown.
   */
  protected renderPartial(isCut = false, isShort = isCut): TemplateResult | typeof nothing {
    if (!isShort && !this.partial) return nothing;
    const more = (): void => {
      this.#limit *= 4;
      this.#start();
    };
    return html`<p class="remark" part="partial">
      ${msg('Only the first part of this resource is shown.', { id: 'mcp.renderers.partial' })}
      ${
        isCut && this.#limit < MAX_LENGTH
          ? html`<button class="more" @click=${more}>
              ${msg('Show more', { id: 'mcp.resource-view.more' })}
            </button>`
          : nothing
      }
    </p>`;
  }

  #start(): void {
    this.#work.abort();
    this.#work = new AbortController();
    const { contents } = this;
    if (!contents) return this.#replace(undefined);
    const { signal } = this.#work;
    // What a model has ready is shown when all of it is.
    const slices = new Slices(signal, () => undefined);
    void this.#prepare(contents, slices, signal);
  }

  async #prepare(contents: ResourceContents, slices: Slices, signal: AbortSignal): Promise<void> {
    try {
      const model = await this.prepare(contents, slices, this.model);
      if (signal.aborted) return this.release(model);
      this.#error = undefined;
      this.#replace(model);
      this.#modelOf = contents;
    } catch (error) {
      if (signal.aborted) return;
      this.#replace(undefined);
      this.#error = error;
    }
    this.requestUpdate();
  }

  #replace(model: Model | undefined): void {
    const before = this.model;
    this.model = model;
    if (before !== undefined && before !== model) this.release(before);
  }
}

import type { ResourceContents } from '@inpage-mcp/client';
import { msg, updateWhenLocaleChanges } from '@lit/localize';
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Slices } from '../../reading/slices.js';
import { MAX_LENGTH, readText, type TextPart } from './reading.js';
import type { FindChanges, Refusal, RendererElement } from './renderer.js';

/** The part of a text that is read at first, in UTF-16 code units; of bytes as many bytes. */
const FIRST_LENGTH = 1_048_576;

/** The base of all renderers: they prepare a model of the contents in slices, and show it. */
export abstract class RendererBase<Model> extends LitElement implements RendererElement {
  static override readonly properties: PropertyDeclarations = {
    contents: { attribute: false },
    model: { state: true },
    partial: { type: Boolean },
    changes: { attribute: false },
  };

  /** The contents that were shown last. */
  declare contents: ResourceContents | undefined;
  declare protected model: Model | undefined;
  declare partial: boolean;
  declare changes: FindChanges | undefined;
  /** The model that changes are found against. */
  protected baseline: Model | undefined;
  onmore = (): void => undefined;
  onrefuse: (refusal: Refusal) => void = () => undefined;
  #limit = FIRST_LENGTH;

  constructor() {
    super();
    this.partial = false;
    updateWhenLocaleChanges(this);
  }

  async show(contents: ResourceContents, slices: Slices): Promise<void> {
    const model = await this.prepare(contents, slices);
    this.release();
    this.changes = undefined;
    this.contents = contents;
    this.model = model;
  }

  setBaseline(): void {
    this.baseline = this.model;
  }

  /**
   * Makes the model of the contents. It awaits `slices.next()` before each small unit of work, and is not
   * aborted after it has taken hold of something.
   */
  protected abstract prepare(contents: ResourceContents, slices: Slices): Promise<Model>;

  /** The model on the screen. */
  protected abstract renderModel(model: Model): unknown;

  release(): void {
    // Most models hold nothing but memory.
  }

  protected override render(): unknown {
    return this.model === undefined ? nothing : this.renderModel(this.model);
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
      this.onmore();
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
}

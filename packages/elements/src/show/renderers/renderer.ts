import type { ResourceContents } from '@inpage-mcp/client';
import { msg, updateWhenLocaleChanges } from '@lit/localize';
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Slices } from '../../reading/slices.js';
import { MAX_LENGTH, readText, type TextPart } from './reading.js';

/**
 * The length of the part of a text that is read at first, in UTF-16 code units; for bytes, the same number of
 * bytes.
 */
const FIRST_LENGTH = 1_048_576;

/** The reason why an element does not show contents in their format, for the user. */
export class Refusal extends Error {
  /** Whether a text can be shown instead; otherwise a download is offered. */
  readonly isText: boolean;

  constructor(reason: string, isText: boolean, cause?: unknown) {
    super(reason, { cause });
    this.isText = isText;
  }
}

/**
 * The base of all elements that show the contents of some media types: they prepare a model of the contents
 * in slices, and show it. `<mcp-resource-view>` loads the module of an element when it is first needed, and
 * creates the element. After an update of the resource the same element shows the new contents, so that the
 * user keeps the place.
 *
 * The contents are hostile: the element does not run any part of them, loads nothing from other places, and
 * never blocks the main thread for more than 100 ms.
 */
export abstract class RendererBase<Model> extends LitElement {
  static override readonly properties: PropertyDeclarations = {
    contents: { attribute: false },
    model: { state: true },
    partial: { type: Boolean },
  };

  /** The contents that were shown last. */
  declare contents: ResourceContents | undefined;
  declare protected model: Model | undefined;
  /** Whether the contents are only the first part of the resource. Default: false. */
  declare partial: boolean;
  /** Called when the user wants to see more of the contents, which must then be shown again. */
  onmore = (): void => undefined;
  /** Called when the browser fails to show the contents. */
  onrefuse: (refusal: Refusal) => void = () => undefined;
  #limit = FIRST_LENGTH;

  constructor() {
    super();
    this.partial = false;
    updateWhenLocaleChanges(this);
  }

  /**
   * Shows contents: text, base64, or a `Blob` handle (see reading/content-bytes.ts). The previous contents
   * stay until these are ready. Rejects with a {@link Refusal} if they are not of the format, and with other
   * errors if they cannot be read.
   */
  async show(contents: ResourceContents, slices: Slices): Promise<void> {
    const model = await this.prepare(contents, slices);
    this.release();
    this.contents = contents;
    this.model = model;
  }

  /**
   * Makes the model of the contents. It awaits `slices.next()` before each small unit of work. It must not be
   * aborted after it has acquired something that needs a release.
   */
  protected abstract prepare(contents: ResourceContents, slices: Slices): Promise<Model>;

  /** The model on the screen. */
  protected abstract renderModel(model: Model): unknown;

  /** Releases the memory of the shown contents. */
  release(): void {
    // Most models have nothing to release.
  }

  protected override render(): unknown {
    return this.model === undefined ? nothing : this.renderModel(this.model);
  }

  /** The text to show: a first part, and more when the user has asked for it. */
  protected async readText(contents: ResourceContents, slices: Slices): Promise<TextPart> {
    return await readText(contents, slices, this.#limit);
  }

  /**
   * Renders the message that only a first part is shown; nothing if the resource is shown completely.
   *
   * @param isCut Whether the text continues, so that the user can get more of it.
   * @param isShort Whether another part of it is not shown.
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

/** Any renderer. */
export type RendererElement = RendererBase<unknown>;

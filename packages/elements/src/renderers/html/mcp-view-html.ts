import type { ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { theme } from '../../look/theme.js';
import type { Slices } from '../../reading/slices.js';
import { nameOf } from '../../text/name-of.js';
import { loadCode } from '../load-code.js';
import { readText } from '../reading.js';
import { RendererBase } from '../renderer-base.js';
import { rendererStyles } from '../renderer.styles.js';
import { POLICY, sandboxedDocument } from './sandbox.js';

/** A longer document is shown as its source, in UTF-16 code units. */
const MAX_LENGTH = 524_288;

/** A longer document is only drawn when the user asks for it. */
const MAX_QUICK_LENGTH = 131_072;

interface Model {
  /** The document for the frame; `undefined` where only the source can be shown. */
  page: string | undefined;
  isQuick: boolean;
}

/**
 * HTML in a sandbox: a frame of an origin of its own, in which no script runs, nothing loads from
 * elsewhere, and no link or form works. A bar says so, and offers the source.
 *
 * @csspart bar - The bar that says that it is a sandbox.
 * @csspart frame - The frame.
 * @csspart partial - The remark that only the first part is shown.
 */
export class McpViewHtml extends RendererBase<Model> {
  static override readonly properties: PropertyDeclarations = {
    isSource: { state: true },
    isWanted: { state: true },
  };
  static override readonly styles = [
    theme,
    rendererStyles,
    css`
      iframe {
        flex: 1 1 auto;
        inline-size: 100%;
        min-block-size: min(70dvh, 40rem);
        border: 0;
        background: white;
        color-scheme: light;
      }

      mcp-view-code {
        flex: 1 1 auto;
        max-block-size: none;
      }
    `,
  ];

  /** Whether the user wants to see the source. */
  declare private isSource: boolean;
  /** Whether the user wants to see a document that may take long to draw. */
  declare private isWanted: boolean;

  constructor() {
    super();
    this.isSource = false;
    this.isWanted = false;
  }

  protected override async prepare(contents: ResourceContents, slices: Slices): Promise<Model> {
    const { text } = await readText(contents, slices);
    await slices.next();
    const page = text.length <= MAX_LENGTH ? tryDocument(text) : undefined;
    if (page === undefined) await loadCode();
    return { page, isQuick: text.length <= MAX_QUICK_LENGTH };
  }

  protected override renderModel({ page, isQuick }: Model): TemplateResult {
    const isSource = this.isSource || page === undefined;
    return html`${this.renderPartial()}
      <div class="bar" part="bar">
        <span class="grow">${textOf(page)}</span>
        ${page === undefined ? nothing : this.#renderToggle(isSource)}
      </div>
      ${isSource ? this.#renderSource() : this.#renderFrame(page, isQuick || this.isWanted)}`;
  }

  #renderToggle(isSource: boolean): TemplateResult {
    return html`<button class="source" aria-pressed=${isSource} @click=${this.#toggleSource}>
      ${msg('Source', { id: 'mcp.renderers.source' })}
    </button>`;
  }

  #renderSource(): TemplateResult {
    return html`<mcp-view-code
      .contents=${this.contents}
      .partial=${this.partial}
    ></mcp-view-code>`;
  }

  #renderFrame(page: string, isWanted: boolean): TemplateResult {
    if (!isWanted)
      return html`<div class="message">
        <span
          >${msg(
            'Drawing this document may take long. Until it is drawn, the page may not react.',
            {
              id: 'mcp.renderers.slow-document',
            },
          )}</span
        >
        <button class="show" @click=${() => (this.isWanted = true)}>
          ${msg('Show it anyway', { id: 'mcp.renderers.show-anyway' })}
        </button>
      </div>`;
    return html`<iframe
      part="frame"
      sandbox=""
      csp=${POLICY}
      allow=""
      credentialless
      referrerpolicy="no-referrer"
      title=${nameOf(this.contents?.uri ?? '')}
      .srcdoc=${page}
    ></iframe>`;
  }

  async #toggleSource(): Promise<void> {
    await loadCode();
    this.isSource = !this.isSource;
  }
}

/** The element, for renderers.ts. */
export { McpViewHtml as renderer };

function textOf(page: string | undefined): string {
  return page === undefined
    ? msg('This document cannot be shown safely here. This is its source.', {
        id: 'mcp.renderers.only-source',
      })
    : msg('A sandbox: no scripts run, nothing loads from elsewhere, and links do not work.', {
        id: 'mcp.renderers.sandbox',
      });
}

/** The document for the frame; `undefined` where the page does not allow the policy that it needs. */
function tryDocument(text: string): string | undefined {
  try {
    return sandboxedDocument(text);
  } catch {
    return undefined;
  }
}

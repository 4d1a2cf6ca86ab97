import type { ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { css, html, type TemplateResult } from 'lit';
import { keepFocus } from '../../../base/element/focus-keeper.js';
import { theme } from '../../../base/look/theme.js';
import type { Slices } from '../../../reading/slices.js';
import { nameOf } from '../../../base/text/name-of.js';
import { Refusal, RendererBase } from '../renderer.js';
import { rendererStyles } from '../renderer.styles.js';
import { costOf, POLICY, sandboxedDocument, type SandboxedDocument } from './sandbox.js';

interface Model {
  text: string;
  /** The document for the frame, unless it is slow to parse or draw and the user has not asked for it. */
  page: string | undefined;
}

/**
 * HTML in a sandbox: a frame of an origin of its own, in which no script runs, nothing loads from
 * elsewhere, and no link or form works. A bar says so. Refuses what a browser could choke on.
 *
 * @csspart bar - The bar that says that it is a sandbox.
 * @csspart frame - The frame.
 * @csspart partial - The remark that only the first part is shown.
 */
export class McpViewHtml extends RendererBase<Model> {
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
    `,
  ];

  constructor() {
    super();
    keepFocus(this, () => () => this.renderRoot.querySelector('iframe'));
  }

  protected override async prepare(contents: ResourceContents, slices: Slices): Promise<Model> {
    const { text } = await this.readText(contents, slices);
    await slices.next();
    const cost = costOf(text);
    if (cost === 'slow') return { text, page: undefined };
    const page = cost === 'quick' ? tryDocument(text) : undefined;
    if (!page) throw onlySource();
    return { text, page: page.isQuick ? page.source : undefined };
  }

  protected override renderModel(model: Model): TemplateResult {
    return html`${this.renderPartial()}
      <div class="bar" part="bar">
        ${msg('A sandbox: no scripts run, nothing loads from elsewhere, and links do not work.', {
          id: 'mcp.renderers.sandbox',
        })}
      </div>
      ${model.page === undefined ? this.#renderSlow(model) : this.#renderFrame(model.page)}`;
  }

  #renderSlow(model: Model): TemplateResult {
    const warning = msg(
      'Drawing this document may take long. Until it is drawn, the page may not react.',
      { id: 'mcp.renderers.slow-document' },
    );
    return html`<div class="message">
      <span>${warning}</span>
      <button class="show" @click=${() => this.#draw(model)}>
        ${msg('Show it anyway', { id: 'mcp.renderers.show-anyway' })}
      </button>
    </div>`;
  }

  #draw(model: Model): void {
    const page = tryDocument(model.text);
    if (!page) return this.onrefuse(onlySource());
    model.page = page.source;
    this.requestUpdate();
  }

  #renderFrame(page: string): TemplateResult {
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
}

/** The element, for kinds.ts. */
export { McpViewHtml as renderer };

function onlySource(): Refusal {
  const reason = msg('This document cannot be shown safely here. This is its source.', {
    id: 'mcp.renderers.only-source',
  });
  return new Refusal(reason, true);
}

/** The document for the frame; `undefined` if the page does not allow the policy that it needs. */
function tryDocument(text: string): SandboxedDocument | undefined {
  try {
    return sandboxedDocument(text);
  } catch {
    return undefined;
  }
}

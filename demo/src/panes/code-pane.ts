import { css, html, LitElement, type TemplateResult } from 'lit';
import { copyText } from '../session/clipboard.js';
import { icon } from '../shell/icons.js';
import { sharedStyles } from '../shell/shared-styles.js';

/** What makes a page like this one, in at most ten lines each. */
const CODE = {
  'Serve notes in your page': (uri: string) => `import '@inpage-mcp/elements';
import { startRuntime } from '@inpage-mcp/runtime';

const runtime = await startRuntime();
document.querySelector('mcp-provider').client = await runtime.connect();

// <mcp-provider>
//   <mcp-resource-list></mcp-resource-list>
//   <mcp-resource-view uri="${uri}"></mcp-resource-view>
// </mcp-provider>`,
  'Let an assistant in': () => `const consent = document.querySelector('mcp-consent');
const runtime = await startRuntime({ confirm: consent.asConfirm() });
await runtime.serveFrames({
  allowedOrigins: ['https://assistant.example'],
  access: { read: ['note:///'], write: 'ask', tools: ['append_to_note'] },
});

// In the frame:
const port = await connectToParent({ parentOrigin: 'https://your.page' });
const client = await connectClient(new MessagePortTransport(port));`,
};

/** The code behind what one sees, to copy. */
export class CodePane extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        min-block-size: 0;
        padding: 0.9rem;
        overflow: auto;
      }

      header {
        display: flex;
        align-items: center;
        gap: 0.5rem;
      }

      h2 {
        flex: 1;
      }

      pre {
        margin: 0.5rem 0 1.4rem;
        padding: 0.8rem;
        overflow: auto;
        border-radius: 8px;
        background: var(--_raised);
        font: 0.78rem/1.6 var(--_mono);
      }
    `,
  ];

  static override readonly properties = {
    uri: { type: String },
    copied: { state: true },
  };

  /** What is open. */
  declare uri: string | undefined;
  declare private copied: string;

  constructor() {
    super();
    this.copied = '';
  }

  protected override render(): TemplateResult {
    return html`${Object.entries(CODE).map(([title, code]) => {
        const text = code(this.uri ?? 'note:///…');
        return html`<header>
            <h2>${title}</h2>
            <button @click=${() => void this.#copy(title, text)}>
              ${icon(this.copied === title ? 'check' : 'copy')}
              ${this.copied === title ? 'Copied' : 'Copy'}
            </button>
          </header>
          <pre tabindex="0" role="group" aria-label=${title}>${text}</pre>`;
      })}
      <p class="muted">
        More in <a href="./docs/">the docs</a>: own tools and resources, frames, limits, and each
        element.
      </p>`;
  }

  async #copy(title: string, text: string): Promise<void> {
    await copyText(text);
    this.copied = title;
  }
}

customElements.define('code-pane', CodePane);

declare global {
  interface HTMLElementTagNameMap {
    'code-pane': CodePane;
  }
}

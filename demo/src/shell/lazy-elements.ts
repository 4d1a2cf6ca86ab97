import { html, type ReactiveControllerHost, type TemplateResult } from 'lit';

/** What loads each element that the first screen does without. */
const LOADERS = {
  'mcp-activity': () => import('@inpage-mcp/elements/define/mcp-activity'),
  'mcp-note-editor': () => import('@inpage-mcp/elements/define/mcp-note-editor'),
  'mcp-prompt-menu': () => import('@inpage-mcp/elements/define/mcp-prompt-menu'),
  'mcp-template-form': () => import('@inpage-mcp/elements/define/mcp-template-form'),
  'mcp-tool-form': () => import('@inpage-mcp/elements/define/mcp-tool-form'),
  'mcp-wire': () => import('@inpage-mcp/elements/define/mcp-wire'),
};

type Name = keyof typeof LOADERS;

/** Loads elements when they are first shown. */
export class LazyElements {
  readonly #host: Pick<ReactiveControllerHost, 'requestUpdate'>;
  /** Of each that was asked for, whether it failed; undefined while it loads. */
  readonly #asked = new Map<Name, boolean | undefined>();

  constructor(host: Pick<ReactiveControllerHost, 'requestUpdate'>) {
    this.#host = host;
  }

  /** What `render` returns, once the element is there; until then, or if it cannot be, a sentence. */
  show(name: Name, render: () => TemplateResult): TemplateResult {
    if (customElements.get(name)) return render();
    if (!this.#asked.has(name)) void this.load(name);
    // Browsers do not ask again for a module that has failed.
    if (this.#asked.get(name))
      return html`<p class="muted" role="alert">
        This part could not be loaded. Reload the page to try again.
      </p>`;
    return html`<p class="muted" aria-busy="true">Loading …</p>`;
  }

  /** Loads an element before it is shown. Never rejects. */
  async load(name: Name): Promise<void> {
    this.#asked.set(name, undefined);
    try {
      await LOADERS[name]();
    } catch {
      this.#asked.set(name, true);
    }
    this.#host.requestUpdate();
  }
}

import type { Cursor } from './cursor/cursor.js';
import type { ListTools, ToolsHost } from './tools/list-tools.js';

/** The tools of a list, which are loaded when the list first needs them. */
export class LazyTools {
  /** The tools, once they are loaded. */
  loaded: ListTools | undefined;
  /** Why they could not be loaded; `undefined` if they can still be. */
  error: unknown;
  readonly #host: ToolsHost;
  readonly #cursor: Cursor;
  readonly #announce: (text: string) => void;

  /** @param announce Announces a text to users of screen readers. */
  constructor(host: ToolsHost, cursor: Cursor, announce: (text: string) => void) {
    this.#host = host;
    this.#cursor = cursor;
    this.#announce = announce;
  }

  /** Loads the tools, and renders the host. Never rejects. */
  async load(): Promise<void> {
    try {
      const { ListTools } = await import('./tools/list-tools.js');
      this.loaded ??= new ListTools(this.#host, this.#cursor, this.#announce);
    } catch (error) {
      this.error = error ?? 'import()';
    }
    this.#host.requestUpdate();
  }
}

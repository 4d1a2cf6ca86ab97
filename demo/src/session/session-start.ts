import type { StartProgress } from '@inpage-mcp/runtime';
import { html, type TemplateResult } from 'lit';
import { startSession, type Session } from './session.js';

/** When the page begins to say what it waits for, in milliseconds. */
const SLOW_START_MS = 500;

/** A session that begins at once, and how far that is. */
export class SessionStart {
  readonly session: Promise<Session>;
  #progress: StartProgress = { state: 'loading', done: 0, total: 0 };
  #onProgress: ((progress: StartProgress) => void) | undefined;

  constructor() {
    this.session = startSession((progress) => {
      this.#progress = progress;
      this.#onProgress?.(progress);
    });
  }

  /**
   * Calls `show` with how far the start is, once it takes so long that it is worth to be read, and with
   * each progress from then on.
   *
   * @returns What ends that.
   */
  showWhenSlow(show: (progress: StartProgress) => void): () => void {
    const timer = setTimeout(() => {
      show(this.#progress);
      this.#onProgress = show;
    }, SLOW_START_MS);
    return () => {
      clearTimeout(timer);
      this.#onProgress = undefined;
    };
  }
}

/** What takes so long, in a sentence. */
function startInWords({ state }: StartProgress): string {
  switch (state) {
    case 'loading':
      return 'Loading the server of this page …';
    case 'opening':
      return 'Opening your data …';
    case 'blocked':
      return 'Another tab holds your data for an older version of this page. Close or reload it.';
    case 'upgrading':
      return 'Bringing your data up to date. This may take some minutes, once.';
  }
}

/** The same for the page. A bar that moves is not read out with each step. */
export function renderStart(progress: StartProgress): TemplateResult {
  const { done, total } = progress;
  return html`<section class="starting" aria-label="Start">
    <p role="status">${startInWords(progress)}</p>
    ${
      total > 0
        ? html`<progress aria-label="Notes" max=${total} .value=${done}></progress>
            <span aria-hidden="true">
              ${done.toLocaleString('en')} of ${total.toLocaleString('en')} notes
            </span>`
        : html`<progress aria-label="Starting"></progress>`
    }
  </section>`;
}

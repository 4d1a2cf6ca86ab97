import { RuntimeError, type StartProgress } from '@inpage-mcp/runtime';
import { html, type TemplateResult } from 'lit';
import { type Session, startSession } from './session.js';

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

/** What is shown instead of everything else where the page could not start. */
export function renderStartFailure(failure: unknown): TemplateResult {
  const { message } = failure instanceof Error ? failure : { message: '' };
  const isOutdated = failure instanceof RuntimeError && failure.code === 'newer-version';
  return html`<main class="failure">
    <div role="alert">
      <h2>
        ${isOutdated ? 'A newer version of this page is in use' : 'The server of this page is not running'}
      </h2>
      <p>${message || String(failure)}</p>
    </div>
    <button class="primary" @click=${() => location.reload()}>Reload the page</button>
  </main>`;
}

/**
 * Lets the browser load what it knows of languages, which it does once, with the first size and the
 * first age that are formatted, each as long as drawing a pane. To be called while the page waits for
 * its worker: the rows of the list would be the first to wait.
 */
export function warmFormats(): void {
  const { lang } = document.documentElement;
  setTimeout(() => new Intl.NumberFormat(lang, { style: 'unit', unit: 'byte' }).format(0));
  setTimeout(() => new Intl.RelativeTimeFormat(lang).format(0, 'minute'));
}

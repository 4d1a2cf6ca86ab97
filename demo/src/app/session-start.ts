import { RuntimeError, type StartProgress } from '@inpage-mcp/runtime';
import { html, nothing, type TemplateResult } from 'lit';

/** The reason for a slow start, in a sentence. */
const STARTS: { [state in StartProgress['state']]: string } = {
  loading: 'Loading the server of this page …',
  opening: 'Opening your data …',
  blocked: 'Another tab holds your data for an older version of this page. Close or reload it.',
  upgrading: 'Bringing your data up to date. This may take some minutes, once.',
};

/** Renders the progress of the start. Screen readers do not announce each step of a moving bar. */
export function renderStart({ state, done, total }: StartProgress): TemplateResult {
  return html`<section class="starting" aria-label="Start">
    <p role="status">${STARTS[state]}</p>
    <progress
      aria-label="Starting"
      max=${total || nothing}
      value=${total > 0 ? done : nothing}
    ></progress>
  </section>`;
}

/** Renders the message that replaces the page if it could not start. */
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

import { RuntimeError } from '@inpage-mcp/runtime';
import { html, type TemplateResult } from 'lit';

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

import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatError } from '../text/format.js';
import { PartError } from './load-part.js';
import { reloadPage } from './reload-page.js';
import { truncateText } from '../text/truncate-text.js';

/**
 * A failure: its reason, its details, and a button that tries again. A browser asks only once for a part of
 * the page, so for such a part the button loads the page again instead.
 *
 * @param onretry Without it the button is missing, for a failure after which nothing can be tried again.
 * @param lead A sentence before the reason. Default: none.
 */
export function renderError(error: unknown, onretry?: () => void, lead?: string): TemplateResult {
  const details = detailsOf(error);
  return html`<div class="message" role="alert" part="error">
    ${lead} <bdi>${formatError(error)}</bdi>
    ${
      details
        ? html`<details>
            <summary>${msg('Details', { id: 'mcp.details' })}</summary>
            <code>${details}</code>
          </details>`
        : nothing
    }
    ${
      error instanceof PartError
        ? renderReload()
        : onretry
          ? html`<button @click=${() => onretry()}>
              ${msg('Try again', { id: 'mcp.retry' })}
            </button>`
          : nothing
    }
  </div>`;
}

/** A remark about a part that could not be loaded, with the remedy if the part no longer exists. */
export function renderOutdated(remark: string, error: unknown): string | TemplateResult {
  return error instanceof PartError && error.isOutdated
    ? html`${remark} ${error.message} ${renderReload()}`
    : remark;
}

/** A button that loads the page again. */
export function renderReload(): TemplateResult {
  return html`<button @click=${() => void reloadPage()}>
    ${msg('Reload', { id: 'mcp.reload' })}
  </button>`;
}

/** Skeletons instead of content that is loading. */
export function renderLoading(lines = 4): TemplateResult {
  const label = msg('Loading', { id: 'mcp.loading' });
  return html`<div class="skeletons" aria-busy="true" role="group" aria-label=${label}>
    ${Array.from({ length: lines }, () => html`<div class="skeleton"></div>`)}
  </div>`;
}

/** A line with the reason why an element shows old data, or cannot act; nothing while connected. */
export function renderConnection(state: string): TemplateResult | typeof nothing {
  const words =
    state === 'reconnecting'
      ? msg('Reconnecting. What is shown may be out of date.', { id: 'mcp.reconnecting' })
      : state === 'closed'
        ? msg('The connection has ended. What is shown is no longer updated.', { id: 'mcp.closed' })
        : undefined;
  return words ? html`<p class="remark" role="status" part="connection">${words}</p>` : nothing;
}

/** The code and the cause of an error. */
function detailsOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  const reason = cause instanceof Error ? cause.message : undefined;
  return [code, reason]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => truncateText(String(part), 500))
    .join(' · ');
}

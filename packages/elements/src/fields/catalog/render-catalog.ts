import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { renderError, renderLoading } from '../../base/look/messages.js';
import type { Catalog } from '../../reading/catalog.js';

/** What stands in the place of a list in each of its states. */
export interface CatalogParts {
  /** The entries, of which there is at least one. */
  entries: () => TemplateResult;
  /** Shown if the server has none. */
  empty: TemplateResult;
  /** Without it, nothing can be tried again. */
  onretry: (() => void) | undefined;
}

/** The list of a server: its entries, or why there are none. Old entries stay after an error. */
export function renderCatalog<Entry extends object>(
  { entries, status, error, isCut }: Catalog<Entry>,
  parts: CatalogParts,
): TemplateResult {
  const failure = status === 'error' ? renderError(error, parts.onretry) : nothing;
  if (entries.length > 0)
    return html`${parts.entries()} ${isCut && status === 'ready' ? renderCut() : nothing} ${failure}`;
  if (status === 'error') return html`${failure}`;
  return status === 'ready'
    ? html`<div class="message"><slot name="empty">${parts.empty}</slot></div>`
    : renderLoading();
}

/** Says that the server has more than the list shows. */
export function renderCut(): TemplateResult {
  return html`<p class="remark" role="note">
    ${msg('The server has more entries than this list can show.', { id: 'mcp.template-form.cut' })}
  </p>`;
}

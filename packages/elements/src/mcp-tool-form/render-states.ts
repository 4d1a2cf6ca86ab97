import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../text/format.js';
import { truncateText } from '../text/truncate-text.js';

/** What stands in the place of a form where there is none. */
export function renderEmpty(hasClient: boolean): TemplateResult {
  return html`<div class="message">
    <slot name="empty"
      >${
        hasClient
          ? msg('This server has no tools.', { id: 'mcp.tool-form.no-tools' })
          : msg('There is no connection to a server.', { id: 'mcp.tool-form.no-client' })
      }</slot
    >
  </div>`;
}

/** Says that the server does not have a tool; nothing if none is chosen. */
export function renderMissing(tool: string | undefined): TemplateResult | typeof nothing {
  if (!tool) return nothing;
  const name = truncateText(tool);
  return html`<p class="facts">
    ${msg(str`The server does not have this tool: ${name}`, { id: 'mcp.tool-form.missing' })}
  </p>`;
}

/** Says how many tools are not in the choice. */
export function renderUnusable(unusable: number): TemplateResult | typeof nothing {
  if (unusable === 0) return nothing;
  const count = formatNumber(unusable);
  return html`<p class="facts" role="note">
    ${msg(str`Tools that cannot be shown: ${count}`, { id: 'mcp.tool-form.unusable-tools' })}
  </p>`;
}

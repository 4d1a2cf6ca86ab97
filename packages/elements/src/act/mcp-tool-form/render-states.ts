import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import type { McpClient } from '@inpage-mcp/client';
import { othersInWords } from '../../reading/declared.js';
import { formatNumber } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';

/** What stands in the place of a form where there is none. */
export function renderEmpty(client: McpClient | undefined): TemplateResult {
  return html`<div class="message">
    <slot name="empty"
      >${
        client
          ? html`${msg('This server has no tools.', { id: 'mcp.tool-form.no-tools' })}
            ${othersInWords(client, 'tools')}`
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

/** Says how many tools are not in the choice, and why. */
export function renderLeftOut(unusable: number, needTasks: number): TemplateResult {
  return html`${unusable > 0 ? renderUnusable(formatNumber(unusable)) : nothing}
  ${needTasks > 0 ? renderNeedTasks(formatNumber(needTasks)) : nothing}`;
}

function renderNeedTasks(count: string): TemplateResult {
  return html`<p class="facts" role="note">
    ${msg(str`Tools that can only run as tasks, which this page does not support: ${count}`, { id: 'mcp.tool-form.need-tasks' })}
  </p>`;
}

function renderUnusable(count: string): TemplateResult {
  return html`<p class="facts" role="note">
    ${msg(str`Tools that cannot be shown: ${count}`, { id: 'mcp.tool-form.unusable-tools' })}
  </p>`;
}

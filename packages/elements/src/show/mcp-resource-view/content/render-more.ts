import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';

/** Says how much of something is shown, and offers more. */
export function renderMore(howMuch: string, onmore: () => void): TemplateResult {
  return html`<div class="more" part="more">
    <span>${howMuch}</span>
    <button @click=${onmore}>${msg('Show more', { id: 'mcp.resource-view.more' })}</button>
  </div>`;
}

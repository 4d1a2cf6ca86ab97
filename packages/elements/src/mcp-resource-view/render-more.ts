import { html, type TemplateResult } from 'lit';

/** Says how much of something is shown, and offers more. */
export function renderMore(
  shown: number,
  total: number,
  unit: string,
  onmore: () => void,
): TemplateResult {
  return html`<div class="more" part="more">
    <span>${shown.toLocaleString()} of ${total.toLocaleString()} ${unit}</span>
    <button @click=${onmore}>Show more</button>
  </div>`;
}

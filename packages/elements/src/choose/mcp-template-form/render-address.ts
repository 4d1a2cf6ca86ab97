import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { truncateText } from '../../base/text/truncate-text.js';

/** How much of the address is shown, in UTF-16 code units. */
const MAX_ADDRESS_LENGTH = 1_000;

/** The address that results from a template. */
export function renderAddress(address: string): TemplateResult {
  return html`<div class="result">
    <span class="label" id="address">${msg('Address', { id: 'mcp.template-form.address' })}</span>
    <output part="uri" dir="ltr" aria-labelledby="address"
      >${truncateText(address, MAX_ADDRESS_LENGTH)}</output
    >
  </div>`;
}

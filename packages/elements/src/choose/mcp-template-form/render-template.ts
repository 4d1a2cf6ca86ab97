import type { ResourceTemplate } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { icon, iconFor } from '../../base/look/icons.js';
import { truncateText } from '../../base/text/truncate-text.js';

/** The texts that a template is found by. */
export function textsOf(template: ResourceTemplate): readonly unknown[] {
  return [template.title, template.name, template.uriTemplate, template.description];
}

/** The title of a template for people. */
export function titleOf({ title, name, uriTemplate }: ResourceTemplate): string {
  return truncateText(title?.trim() || name.trim()) || truncateText(uriTemplate);
}

/** A template as an option of the list. */
export function renderTemplate(template: ResourceTemplate): TemplateResult {
  return html`${icon(iconFor(template.mimeType))}
    <span class="texts">
      <span class="one-line" part="title">${titleOf(template)}</span>
      <span class="one-line details" part="details">${truncateText(template.uriTemplate)}</span>
    </span>`;
}

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

import type { ResourceTemplate } from '@inpage-mcp/client';
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

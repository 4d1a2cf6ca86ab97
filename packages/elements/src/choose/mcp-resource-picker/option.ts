import type { Resource } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { checkIcon, icon, iconFor } from '../../base/look/icons.js';
import { tokensOfResource } from '../../base/text/tokens.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { Choice } from './choice.js';
import { titleOf } from './title-of.js';
import { formatTokens } from '../../base/text/format-tokens.js';

/** A suggestion. */
export function renderOption(resource: Resource, choice: Choice): TemplateResult {
  const { uri, mimeType } = resource;
  const tokens = tokensOfResource(resource);
  const isAutomatic = choice.has(uri) && !choice.isChosen(uri);
  return html`${icon(choice.has(uri) ? checkIcon : iconFor(mimeType))}
    <span class="texts">
      <span class="one-line" part="title">${titleOf(resource)}</span>
      <span class="one-line details" part="details">${truncateText(uri)}</span>
    </span>
    <span class="end">
      ${isAutomatic ? msg('automatic', { id: 'mcp.resource-picker.automatic' }) : nothing}
      ${tokens === undefined ? nothing : formatTokens(tokens)}
    </span>`;
}

import type { Resource } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { checkIcon, icon, iconFor } from '../../base/look/icons.js';
import { tokensOfResource } from '../../base/text/tokens.js';
import { nameOf } from '../../base/text/name-of.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { Choice } from './choice.js';
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

/** What a resource is called. */
export function titleOf({ title, name, uri }: Resource): string {
  return truncateText(title?.trim() || name.trim()) || nameOf(uri) || truncateText(uri);
}

/** The texts that a resource is found by. */
export function textsOf({ title, name, uri, description }: Resource): readonly unknown[] {
  return [title, name, uri, description];
}

/** `@` and what follows, if no letter or digit is before it, as in an address of e-mail. */
export const MENTION = /(?<![\p{Script=Latin}\p{N}._\-\0])@(?<query>[^\s@]{0,100})$/u;

/** The longest title that is put into a text field as a mention. */
const MAX_LENGTH = 80;

/** What is put into a text field for a resource, with a space after it. */
export function mentionOf(resource: Resource): string {
  const title = titleOf(resource).replaceAll(/\s+/g, ' ');
  return `@${truncateText(title, MAX_LENGTH)} `;
}

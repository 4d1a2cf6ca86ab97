import type { Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { checkIcon, icon, iconFor, plusIcon } from '../../base/look/icons.js';
import { formatTokens, roundTokens } from '../../base/text/format-tokens.js';
import { formatNumber } from '../../base/text/format.js';
import { nameOf } from '../../base/text/name-of.js';
import { tokensOfResource } from '../../base/text/tokens.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { countedTokens, type Choice } from './choice.js';

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

/** The title of a resource, or otherwise its name or address. */
export function titleOf({ title, name, uri }: Resource): string {
  return truncateText(title?.trim() || name.trim()) || nameOf(uri) || truncateText(uri);
}

/** The texts by which a resource is found. */
export function textsOf({ title, name, uri, description }: Resource): readonly unknown[] {
  return [title, name, uri, description];
}

/** The `@` and the text after it, unless a letter or digit is before it, as in an e-mail address. */
export const MENTION = /(?<![\p{Script=Latin}\p{N}._\-\0])@(?<query>[^\s@]{0,100})$/u;

/** The maximum length of a title that is inserted into a text field as a mention. */
const MAX_LENGTH = 80;

/** The text for a resource in a text field, with a space after it. */
export function mentionOf(resource: Resource): string {
  const title = titleOf(resource).replaceAll(/\s+/g, ' ');
  return `@${truncateText(title, MAX_LENGTH)} `;
}

/** The maximum number of left out resources that are shown. */
const MAX_LEFT_OUT = 20;

/** The used part of the budget, and the resources that do not fit into it. */
export function renderBudget(
  choice: Choice,
  budget: number,
  isDisabled: boolean,
  add: (resource: Resource) => void,
): TemplateResult | typeof nothing {
  const { tokens, leftOut, uris } = choice;
  if (budget === 0) {
    return uris.length > 1
      ? html`<p class="note" part="budget">${formatTokens(tokens)}</p>`
      : nothing;
  }
  const isOver = tokens > budget;
  return html`<div class=${isOver ? 'budget over' : 'budget'} part="budget">
      <div
        class="bar"
        role="meter"
        aria-label=${msg('Tokens', { id: 'mcp.resource-view.tokens' })}
        aria-valuemin="0"
        aria-valuemax=${budget}
        aria-valuenow=${Math.min(tokens, budget)}
        aria-valuetext=${describe(tokens, budget)}
      >
        <span .style=${`inline-size: ${Math.min(100, (tokens / budget) * 100)}%`}></span>
      </div>
      <span>${describe(tokens, budget)}</span>
    </div>
    ${leftOut.length > 0 ? renderLeftOut(leftOut, isDisabled, add) : nothing}`;
}

function describe(tokens: number, budget: number): string {
  const [used, all] = [formatNumber(roundTokens(tokens)), formatNumber(budget)];
  return tokens > budget
    ? msg(str`≈ ${used} tokens: more than the budget of ${all}`, { id: 'mcp.resource-picker.over' })
    : msg(str`≈ ${used} of ${all} tokens`, { id: 'mcp.resource-picker.used' });
}

function renderLeftOut(
  leftOut: readonly Resource[],
  isDisabled: boolean,
  add: (resource: Resource) => void,
): TemplateResult {
  const count = formatNumber(leftOut.length);
  return html`<details class="left-out">
    <summary>${msg(str`Left out: ${count}`, { id: 'mcp.resource-picker.left-out' })}</summary>
    <ul role="list">
      ${leftOut.slice(0, MAX_LEFT_OUT).map((resource) => {
        const title = titleOf(resource);
        return html`<li>
          <span class="one-line title">${title}</span>
          <span class="tokens">${formatTokens(countedTokens(resource))}</span>
          <button
            type="button"
            class="quiet"
            aria-label=${msg(str`Add ${title}`, { id: 'mcp.resource-picker.add-one' })}
            ?disabled=${isDisabled}
            @click=${() => add(resource)}
          >
            ${icon(plusIcon)}
          </button>
        </li>`;
      })}
    </ul>
  </details>`;
}

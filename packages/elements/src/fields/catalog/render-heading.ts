import { html, nothing, type TemplateResult } from 'lit';
import { chevronIcon, icon } from '../../base/look/icons.js';
import { truncateText } from '../../base/text/truncate-text.js';

/** The way back to a list. */
export interface Back {
  /** The accessible name. */
  label: string;
  onback: () => void;
}

/**
 * The title of a form that stands for one entry of a server, and its description.
 *
 * @param back Default: there is no way back.
 */
export function renderHeading(
  title: string,
  description: string | undefined,
  back: Back | undefined,
): TemplateResult {
  return html`<div class="heading">
      ${back ? renderBack(back) : nothing}
      <strong class="one-line" part="heading">${title}</strong>
    </div>
    ${description ? html`<p class="about">${truncateText(description, 500)}</p>` : nothing}`;
}

/** The button that leads back. */
export function renderBack({ label, onback }: Back): TemplateResult {
  return html`<button
    type="button"
    class="quiet back"
    aria-label=${label}
    title=${label}
    @click=${onback}
  >
    ${icon(chevronIcon)}
  </button>`;
}

import { msg } from '@lit/localize';
import { html, nothing, css, type TemplateResult } from 'lit';
import { chevronIcon, icon } from '../../base/look/icons.js';
import { renderError, renderLoading } from '../../base/look/messages.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { translateText } from '../../base/text/translate-text.js';
import type { Catalog } from '../../reading/catalog.js';
import { codeOf } from '../../reading/gate.js';

/** The names of the states that `listStates` returns. */
type ListState = 'loading' | 'empty' | 'error' | 'reconnecting' | 'closed';

/**
 * The custom states of an element that shows a list of a server, and whether it is in each of them.
 *
 * @param connection The state of its connection.
 * @param isShown Whether the element shows the list now.
 */
export function listStates(
  { entries, status }: Pick<Catalog<object>, 'entries' | 'status'>,
  connection: string,
  isShown: boolean,
): [ListState, boolean][] {
  const isWithoutEntries = isShown && entries.length === 0;
  return [
    ['loading', isWithoutEntries && status === 'loading'],
    ['empty', isWithoutEntries && status === 'ready'],
    ['error', isShown && status === 'error'],
    ['reconnecting', connection === 'reconnecting'],
    ['closed', connection === 'closed'],
  ];
}

/** The content for a list in each of its states. */
interface CatalogParts {
  /** Renders the entries, of which at least one exists. */
  entries: () => TemplateResult;
  /** The content for a server without entries. */
  empty: TemplateResult;
  /** Tries again; without it, nothing can be tried again. */
  onretry: (() => void) | undefined;
}

/**
 * Renders the list of a server: its entries, or the reason why it has none. Old entries stay after an error.
 */
export function renderCatalog<Entry extends object>(
  { entries, status, error, isCut }: Catalog<Entry>,
  parts: CatalogParts,
): TemplateResult {
  const failure = status === 'error' ? renderListError(error, parts.onretry) : nothing;
  if (entries.length > 0)
    return html`${parts.entries()} ${isCut && status === 'ready' ? renderCut() : nothing} ${failure}`;
  if (status === 'error') return html`${failure}`;
  return status === 'ready'
    ? html`<div class="message"><slot name="empty">${parts.empty}</slot></div>`
    : renderLoading();
}

/**
 * Renders the reason why a list could not be read. A server that refuses it may give a short reason, such as
 * “Forbidden”.
 */
export function renderListError(error: unknown, onretry?: () => void): TemplateResult {
  // Only an error that the server has sent has a number as its code.
  const isRefused = typeof codeOf(error) === 'number';
  const lead = msg('The server has refused this list.', { id: 'mcp.list-refused' });
  return renderError(error, onretry, isRefused ? lead : undefined);
}

/** Renders the remark that the server has more entries than the list shows. */
export function renderCut(): TemplateResult {
  return html`<p class="remark" role="note">
    ${msg('The server has more entries than this list can show.', { id: 'mcp.template-form.cut' })}
  </p>`;
}

/** The way back to a list. */
interface Back {
  /** The accessible name. */
  label: string;
  onback: () => void;
}

/**
 * The title of a form that stands for one entry of a server, and its description.
 *
 * @param back The way back. Default: none.
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
    ${description ? html`<p class="about">${truncateText(translateText(description), 500)}</p>` : nothing}`;
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

/** The styles of a form that stands for one entry of a server. */
export const formStyles = css`
  :host {
    display: block;
  }

  form {
    display: grid;
    gap: 0.9rem;
  }

  .heading {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    min-inline-size: 0;
    font-size: 1.0625rem;
  }

  form + .remark {
    margin-block-start: 0.9rem;
  }

  .about {
    inline-size: fit-content;
    margin: 0;
    color: var(--_muted);
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
    text-align: start;
  }

  .result {
    display: grid;
    gap: 0.2rem;
    min-inline-size: 0;
  }

  .result > .label {
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  output {
    display: block;
    min-block-size: 2.2em;
    padding: 0.4em 0.6em;
    border-radius: var(--_radius);
    background: var(--_raised);
    font-family: var(--_mono);
    font-size: 0.875rem;
    overflow-wrap: anywhere;
    text-align: start;
  }

  @media (forced-colors: active) {
    output {
      border: 1px solid CanvasText;
    }
  }
`;

import { html, type TemplateResult } from 'lit';
import { icon } from './icons.js';
import type { Navigation, Pane } from '../addresses/navigation.js';

const TABS: readonly [pane: Pane, symbol: Parameters<typeof icon>[0], words: string][] = [
  ['list', 'list', 'List'],
  ['preview', 'preview', 'Preview'],
  ['side', 'clients', 'Clients'],
];

/** What leads from pane to pane where a screen has room for one. */
export function renderPaneTabs(navigation: Navigation): TemplateResult {
  return html`<nav class="tabs" aria-label="Panes">
    ${TABS.map(
      ([pane, symbol, words]) =>
        html`<button
          aria-current=${navigation.pane === pane}
          @click=${() => navigation.showPane(pane)}
        >
          ${icon(symbol)} ${words}
        </button>`,
    )}
  </nav>`;
}

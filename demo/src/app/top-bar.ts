import { html, nothing, type TemplateResult } from 'lit';
import type { Navigation, Pane } from '../addresses/navigation.js';
import { serviceWorkers } from '../offline/keep-offline.js';
import { nextTheme } from '../ui/colour-theme.js';
import type { Session } from '../session/session.js';
import { icon } from '../ui/icons.js';

/** The data and the action of the top bar. */
export interface TopBar {
  session: Session | undefined;
  hasFailed: boolean;
  showData: () => void;
}

/** Renders the state of the connection, and the actions for the whole page. */
export function renderTopBar({ session, hasFailed, showData }: TopBar): TemplateResult {
  return html`<header class="top">
    <h1 class="brand"><img src="./icon.svg" alt="" /> <span>in-page MCP</span></h1>
    ${renderStatus(session, hasFailed)}
    <span class="grow"></span>
    <a class="button data" href="./docs/" title="Docs" aria-label="Docs">
      ${icon('read')}<span class="wide">Docs</span>
    </a>
    <button
      class="data"
      title="Your data"
      aria-label="Your data"
      ?disabled=${!session}
      @click=${showData}
    >
      ${icon('database')}<span class="wide">Your data</span>
    </button>
    <button
      class="square"
      title="Light or dark"
      aria-label="Light or dark"
      @click=${() => nextTheme()}
    >
      ${icon('theme')}
    </button>
  </header>`;
}

function renderStatus(session: Session | undefined, hasFailed: boolean): TemplateResult {
  if (hasFailed) return html`<span class="pill failed">not connected</span>`;
  if (!session) return html`<span class="pill">starting</span>`;
  const { protocolVersion, state } = session.client;
  if (state === 'reconnecting') return html`<span class="pill">reconnecting …</span>`;
  if (state !== 'open')
    return html`<span class="pill failed">ended</span>
      <button @click=${() => location.reload()}>Reload the page</button>`;
  if (!navigator.onLine) return renderOffline();
  return html`<span
    class="pill connected"
    title=${`MCP ${protocolVersion}, to a worker of this page`}
    >Connected</span
  >`;
}

/**
 * Renders the sign of a missing network. The connection to the server still works, because the server is in
 * this page.
 */
function renderOffline(): TemplateResult {
  const isKept = Boolean(serviceWorkers()?.controller);
  return html`<span class="pill connected"
    >offline${isKept ? html`<span> · everything here still works</span>` : nothing}</span
  >`;
}

const TABS: readonly [pane: Pane, symbol: Parameters<typeof icon>[0], words: string][] = [
  ['list', 'list', 'List'],
  ['preview', 'preview', 'Preview'],
  ['side', 'clients', 'Clients'],
];

/** Renders the bar that leads from pane to pane, on a screen with room for only one. */
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

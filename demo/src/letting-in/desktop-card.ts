import { truncateText } from '@inpage-mcp/elements/classes';
import type { DesktopHost } from '@inpage-mcp/runtime';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { icon } from '../ui/icons.js';
import { sharedStyles } from '../ui/shared-styles.js';
import { cardStyles } from './card.styles.js';
import type { DesktopLink } from './desktop-link.js';
import { grantInWords } from './grants.js';

/** The desktop apps: a description, the way to connect them, and the access of each. */
export class DesktopCard extends LitElement {
  static override readonly styles = [
    sharedStyles,
    cardStyles,
    css`
      ul {
        display: grid;
        gap: 0.6rem;
        margin: 0.3rem 0 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: grid;
        gap: 0.2rem;
        padding-block-start: 0.6rem;
        border-block-start: 1px solid var(--_line);
      }

      code {
        font: 0.8125rem var(--_mono);
      }
    `,
  ];

  static override readonly properties = {
    desktop: { attribute: false },
  };

  declare desktop: DesktopLink | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('desktop'))
      this.desktop?.addEventListener('change', () => this.requestUpdate());
  }

  protected override render(): TemplateResult | typeof nothing {
    const { desktop } = this;
    if (!desktop) return nothing;
    const { problem } = desktop;
    const apps = byName(desktop.hosts);
    return html`<section class="card" aria-label="Desktop">
      <h2>${icon('desktop')} Desktop apps</h2>
      ${renderState(desktop)}
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
      ${
        apps.length > 0
          ? html`<ul aria-label="Desktop apps">
              ${apps.map((connections) => renderApp(connections, desktop))}
            </ul>`
          : nothing
      }
      <div class="buttons">${renderButtons(desktop)}</div>
    </section>`;
  }
}

function renderState({ state, hosts, isPaired, isConnecting }: DesktopLink): TemplateResult {
  if (state === 'pairing')
    return html`<p role="status">
      Compare the code, here and in the desktop app. If the app asks too, type the code there.
    </p>`;
  if (isConnecting) return html`<p role="status">Looks for the bridge on this computer …</p>`;
  if (!isPaired)
    return html`<p>
      Claude Desktop, VS Code and other programs can read your notes, if they start the bridge
      <code>npx @inpage-mcp/bridge</code>. Nothing leaves this page before you have connected it and
      chosen what each program may read.
    </p>`;
  if (state === 'waiting') return html`<p>Connected. Another tab of this page serves the apps.</p>`;
  if (state !== 'connected')
    return html`<p>Paired. The page connects by itself when a desktop app starts the bridge.</p>`;
  return html`<p>Connected. ${hosts.length === 0 ? 'No app has been let in.' : nothing}</p>`;
}

function renderButtons(desktop: DesktopLink): unknown {
  const { isConnecting, isPaired, state } = desktop;
  const connect = (words: unknown): TemplateResult =>
    html`<button ?disabled=${isConnecting} @click=${() => void desktop.connect()}>
      ${words}
    </button>`;
  if (!isPaired) return connect(html`${icon('desktop')} Connect a desktop app`);
  const isConnected = state === 'connected' || state === 'waiting';
  return html`${connect(isConnected ? 'Ask refused apps again' : 'Connect now')}
    <button @click=${() => void desktop.forget()}>Forget this pairing</button>`;
}

/** Renders one app, on one connection or several, for which it has one grant. */
function renderApp(connections: readonly DesktopHost[], desktop: DesktopLink): TemplateResult {
  const { name, version } = connections[0]!;
  const grant = desktop.grantOf(name);
  return html`<li>
    <h3>${truncateText(version ? `${name} ${version}` : name)}</h3>
    ${connections.length > 1 ? html`<p>${connections.length} connections</p>` : nothing}
    ${grant ? html`<p>${grantInWords(grant)}</p>` : nothing}
    <div class="buttons">
      <button
        class="danger"
        aria-label=${`End access of ${truncateText(name)}`}
        @click=${() => desktop.revoke(name)}
      >
        End access
      </button>
    </div>
  </li>`;
}

/** The connections grouped by the name of their app, because the user grants access to a name. */
function byName(hosts: readonly DesktopHost[]): DesktopHost[][] {
  const apps = new Map<string, DesktopHost[]>();
  for (const host of hosts) apps.set(host.name, [...(apps.get(host.name) ?? []), host]);
  return [...apps.values()];
}

customElements.define('desktop-card', DesktopCard);

declare global {
  interface HTMLElementTagNameMap {
    'desktop-card': DesktopCard;
  }
}

import type { DescribeClient, McpRevokeEvent } from '@inpage-mcp/elements';
import { css, html, nothing, type TemplateResult } from 'lit';
import '../../letting-in/clients-pane.js';
import type { ClientsPane } from '../../letting-in/clients-pane.js';
import { LazyElements } from '../../shell/lazy-elements.js';
import { SeenElement } from '../../shell/seen-element.js';
import type { Session } from '../../session/session.js';
import { sharedStyles } from '../../shell/shared-styles.js';
import './code-pane.js';

export type Side = 'clients' | 'activity' | 'wire' | 'code';

const TITLES: { [side in Side]: string } = {
  clients: 'Clients',
  activity: 'Activity',
  wire: 'Wire',
  code: 'Code',
};
const SIDES = Object.keys(TITLES) as Side[];

/**
 * Who is connected, what is said, and the code behind it.
 *
 * @fires choose-side - The user wants what `wanted` says.
 */
export class SidePane extends SeenElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        grid-template-columns: minmax(0, 1fr);
        min-block-size: 0;
      }

      [role='tablist'] {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.3rem;
        min-block-size: 3.4rem;
        padding: 0.5rem 0.9rem;
        border-block-end: 1px solid var(--line);
      }

      [role='tab'] {
        padding-inline: 0.6rem;
        border-color: transparent;
        background: none;
      }

      [role='tab'][aria-selected='true'] {
        background: var(--soft);
        color: var(--accent);
        font-weight: 600;
      }

      [role='tabpanel'] {
        display: grid;
        min-inline-size: 0;
        min-block-size: 0;
      }

      [role='tabpanel'][hidden] {
        display: none;
      }

      /* For the order of headings: the tab says it already. */
      .hidden {
        position: absolute;
        overflow: hidden;
        inline-size: 1px;
        block-size: 1px;
        margin: 0;
        clip-path: inset(50%);
      }

      mcp-activity,
      mcp-wire {
        block-size: 100%;
        min-block-size: 0;
      }
    `,
  ];

  static override readonly properties = {
    session: { attribute: false },
    side: { type: String },
    uri: { type: String },
  };

  declare session: Session | undefined;
  declare side: Side;
  /** What is open. */
  declare uri: string | undefined;

  /** What the user has chosen last. */
  wanted: Side = 'clients';

  constructor() {
    super();
    this.side = 'clients';
  }

  /** Opens the assistant's frame, and asks the user what it may do. */
  async letAssistantIn(): Promise<void> {
    await this.updateComplete;
    await this.renderRoot.querySelector<ClientsPane>('clients-pane')!.letIn();
  }

  protected override render(): TemplateResult {
    return html`
      <div role="tablist" aria-label="Behind the page" @keydown=${this.#onKey}>
        ${SIDES.map(
          (side) =>
            html`<button
              role="tab"
              id=${`tab-${side}`}
              aria-selected=${this.side === side}
              aria-controls=${side}
              tabindex=${this.side === side ? 0 : -1}
              @click=${() => this.#choose(side)}
            >
              ${TITLES[side]}
            </button>`,
        )}
      </div>
      ${this.#renderPanel(
        'clients',
        // It stays where it is: a frame that is moved is loaded anew.
        html`<clients-pane .session=${this.session}></clients-pane>`,
      )}
      ${this.#renderPanel(
        'activity',
        this.side === 'activity'
          ? this.#lazy.show(
              'mcp-activity',
              () =>
                html`<h2 class="hidden">Activity</h2>
                  <mcp-activity
                    .client=${this.session?.client}
                    .describeClient=${this.#describe}
                    @mcp-revoke=${this.#onRevoke}
                  ></mcp-activity>`,
            )
          : nothing,
      )}
      ${this.#renderPanel(
        'wire',
        this.side === 'wire'
          ? this.#lazy.show(
              'mcp-wire',
              () =>
                html`<mcp-wire
                  .recorder=${this.session?.wire}
                  .client=${this.session?.client}
                ></mcp-wire>`,
            )
          : nothing,
      )}
      ${this.#renderPanel(
        'code',
        this.side === 'code' ? html`<code-pane .uri=${this.uri}></code-pane>` : nothing,
      )}
    `;
  }

  readonly #lazy = new LazyElements(this);

  readonly #describe: DescribeClient = (connection) => {
    const { assistant, connections } = this.session!;
    const name = connections.nameOf(connection);
    if (name === undefined) return undefined;
    return {
      name,
      isRevocable: assistant.has(connection) && assistant.state === 'admitted',
    };
  };

  #onRevoke(event: McpRevokeEvent): void {
    event.respondWith(this.session!.assistant.revoke());
  }

  #renderPanel(side: Side, content: TemplateResult | typeof nothing): TemplateResult {
    return html`<div
      role="tabpanel"
      id=${side}
      aria-labelledby=${`tab-${side}`}
      ?hidden=${this.side !== side}
    >
      ${content}
    </div>`;
  }

  #onKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const isMirrored = getComputedStyle(this).direction === 'rtl';
    const at = SIDES.indexOf(this.side) + (isMirrored ? -step : step);
    const side = SIDES[(at + SIDES.length) % SIDES.length]!;
    event.preventDefault();
    this.#choose(side);
    this.renderRoot.querySelector<HTMLElement>(`#tab-${side}`)!.focus();
  }

  #choose(side: Side): void {
    this.wanted = side;
    this.dispatchEvent(new Event('choose-side'));
  }
}

customElements.define('side-pane', SidePane);

declare global {
  interface HTMLElementTagNameMap {
    'side-pane': SidePane;
  }
}

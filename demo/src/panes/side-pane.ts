import type { DescribeClient, McpRevertEvent, McpRevokeEvent } from '@inpage-mcp/elements';
import type { Runtime } from '@inpage-mcp/runtime';
import { css, html, nothing, type TemplateResult } from 'lit';
import './clients-pane.js';
import type { ClientsPane } from './clients-pane.js';
import type { Navigation } from '../addresses/navigation.js';
import type { Side } from '../addresses/opened.js';
import { SeenElement } from '../ui/seen-element.js';
import type { Session } from '../session/session.js';
import { sharedStyles } from '../ui/shared-styles.js';
import type { NoticeStack } from '../ui/notice-stack.js';

const TITLES: { [side in Side]: string } = {
  clients: 'Clients',
  activity: 'Activity',
  wire: 'Wire',
};
const LOADING = html`<p class="muted" aria-busy="true">Loading …</p>`;
const SIDES = Object.keys(TITLES) as Side[];

/** The clients that may be let in, their actions, and the messages. */
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
        border-block-end: 1px solid var(--_line);
      }

      [role='tab'] {
        padding-inline: 0.6rem;
        border-color: transparent;
        background: none;
      }

      [role='tab'][aria-selected='true'] {
        background: var(--_selected);
        color: var(--_accent);
        font-weight: 600;
      }

      @media (forced-colors: active) {
        /* Under the pointer, too. */
        button[role='tab'][aria-selected='true'] {
          background: Highlight;
          color: HighlightText;
          forced-color-adjust: none;
        }
      }

      [role='tabpanel'] {
        display: grid;
        min-inline-size: 0;
        min-block-size: 0;
      }

      [role='tabpanel'][hidden] {
        display: none;
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
    notices: { attribute: false },
    navigation: { attribute: false },
    side: { type: String },
  };

  declare session: Session | undefined;
  declare notices: () => NoticeStack;
  declare navigation: Navigation;
  declare side: Side;

  constructor() {
    super();
    this.side = 'clients';
  }

  /** Opens the assistant's frame, and asks the user for its access. */
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
              @click=${() => this.navigation.showSide(side)}
            >
              ${TITLES[side]}
            </button>`,
        )}
      </div>
      ${this.#renderPanel('clients', html`<clients-pane .session=${this.session} .notices=${this.notices}></clients-pane>`)}
      ${this.#renderPanel(
        'activity',
        html`<h2 class="visually-hidden">Activity</h2>
          <mcp-activity
            .client=${this.session?.client}
            .describeClient=${this.#describe}
            can-revert
            @mcp-revoke=${this.#onRevoke}
            @mcp-revert=${this.#onRevert}
            >${LOADING}</mcp-activity
          >`,
      )}
      ${this.#renderPanel(
        'wire',
        html`<mcp-wire .recorder=${this.session?.wire} .client=${this.session?.client}
          >${LOADING}</mcp-wire
        >`,
      )}
    `;
  }

  readonly #describe: DescribeClient = (connection) => {
    const { assistant, names } = this.session!;
    const name = names.get(connection);
    if (name === undefined) return undefined;
    return {
      name,
      isRevocable: assistant.has(connection) && assistant.state === 'admitted',
    };
  };

  #onRevoke(event: McpRevokeEvent): void {
    event.respondWith(this.session!.assistant.revoke());
  }

  #onRevert(event: McpRevertEvent): void {
    event.respondWith(revert(this.session!.runtime, event.changes));
  }

  /**
   * Renders a panel. The clients stay at their place in the document, because a frame that is moved is loaded
   * again.
   */
  #renderPanel(side: Side, content: TemplateResult): TemplateResult {
    return html`<div
      role="tabpanel"
      id=${side}
      aria-labelledby=${`tab-${side}`}
      ?hidden=${this.side !== side}
    >
      ${side === this.side || side === 'clients' ? content : nothing}
    </div>`;
  }

  #onKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const isMirrored = getComputedStyle(this).direction === 'rtl';
    const at = SIDES.indexOf(this.side) + (isMirrored ? -step : step);
    const side = SIDES[(at + SIDES.length) % SIDES.length]!;
    event.preventDefault();
    this.navigation.showSide(side);
    this.renderRoot.querySelector<HTMLElement>(`#tab-${side}`)!.focus();
  }
}

/** Undoes changes, the newest first, until one of them cannot be undone. */
async function revert({ history }: Runtime, changes: readonly number[]): Promise<void> {
  for (const number of changes) await history.revert(number);
}

customElements.define('side-pane', SidePane);

declare global {
  interface HTMLElementTagNameMap {
    'side-pane': SidePane;
  }
}

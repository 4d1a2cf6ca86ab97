import type { Watch } from '@inpage-mcp/client';
import type { ActivityEntry } from '@inpage-mcp/runtime';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { icon } from '../shell/icons.js';
import type { Session } from '../session/session.js';
import { sharedStyles } from '../shell/shared-styles.js';
import type { AssistantSession, AssistantState } from './assistant-session.js';
import { cardStyles } from './card.styles.js';
import { choicesOf, grantInWords } from './grants.js';
import { activityInWords } from './activity-in-words.js';
import './desktop/desktop-card.js';
import { destinationOf } from '../model/model-settings.js';

/** What the first button of an assistant does. */
const ACTIONS: { [state in AssistantState]: string } = {
  absent: 'Let an assistant in',
  asking: 'Let an assistant in',
  admitted: 'End access',
  revoked: 'Let it in again',
};

/** Who is connected to the server in this tab, what each may do, and what it did last. */
export class ClientsPane extends LitElement {
  static override readonly styles = [
    sharedStyles,
    cardStyles,
    css`
      :host {
        display: grid;
        grid-template-rows: minmax(0, 1fr);
        min-block-size: 0;
        container-type: size;
      }

      .cards {
        display: flex;
        flex-direction: column;
        gap: 0.7rem;
        padding: 0.9rem;
        overflow: auto;
      }

      .cards:focus-visible {
        outline-offset: -2px;
      }

      .assistant {
        border-color: color-mix(in oklab, var(--_accent) 45%, var(--_line));
      }

      iframe {
        inline-size: 100%;
        block-size: max(22rem, 100cqb - 14rem);
        margin-block-start: 0.5rem;
        border: 1px solid var(--_line);
        border-radius: 8px;
        background: var(--_surface);
      }
    `,
  ];

  static override readonly properties = {
    session: { attribute: false },
  };

  declare session: Session | undefined;

  #titles: ReadonlyMap<string, string> = new Map();
  #watch: Watch | undefined;
  readonly #onChange = (): void => this.requestUpdate();

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('session') || !this.session) return;
    const { assistant, client, connections, desktop, tabs } = this.session;
    for (const source of [assistant, connections, desktop, tabs])
      source.addEventListener('change', this.#onChange);
    for (const change of ['online', 'offline']) window.addEventListener(change, this.#onChange);
    this.#watch = client.watchList(() => void this.#readTitles());
    void this.#readTitles();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch?.stop();
    for (const change of ['online', 'offline']) window.removeEventListener(change, this.#onChange);
  }

  protected override render(): TemplateResult {
    const { session } = this;
    if (!session) return html`<div class="cards"><p class="muted">Starting …</p></div>`;
    const { tabs } = session;
    return html`<div class="cards" role="group" aria-label="Clients" tabindex="0">
      ${this.#renderAssistant(session)}
      <desktop-card
        .desktop=${session.desktop}
        .activityOf=${(connection: number) => this.#activityOf(connection)}
      ></desktop-card>
      ${this.#renderPage(session)} ${tabs.count > 0 ? this.#renderTabs(session) : nothing}
    </div>`;
  }

  #renderPage({ connections }: Session): TemplateResult {
    const entry = connections.lastAmong((connection) => connections.isOwn(connection));
    return html`<section class="card" aria-label="This page">
      <h2>${icon('preview')} This page</h2>
      <p class="muted">${location.origin}</p>
      <p>Reads and writes everything: these are your notes.</p>
      ${entry ? html`<p class="activity">${this.#inWords(entry)}</p>` : nothing}
    </section>`;
  }

  #renderTabs({ tabs }: Session): TemplateResult {
    return html`<section class="card" aria-label="Other tabs">
      <h2>${icon('newTab')} ${tabs.count === 1 ? 'The second tab' : `${tabs.count} other tabs`}</h2>
      <p class="muted">${location.origin}</p>
      <p>The same notes, and a server of its own. Each tab notifies the others of its changes.</p>
      ${tabs.lastActivity ? html`<p class="activity">${tabs.lastActivity}</p>` : nothing}
    </section>`;
  }

  #renderAssistant({ assistant, connections }: Session): TemplateResult {
    const { state, grant, place, frame, model, name } = assistant;
    const entry = connections.lastAmong((connection) => assistant.has(connection));
    const where = place.origin === 'null' ? 'a sandboxed frame, without an origin' : place.origin;
    return html`<section class=${`card assistant ${state}`} aria-label="Assistant">
      <h2>${icon('assistant')} ${name}</h2>
      <p class="muted">${where}</p>
      ${
        state === 'absent' && !model
          ? html`<p>
              It has no connection. Let it in, choose what it may read, and watch what it does: it
              is a script that only quotes your notes: no AI, no network.
            </p>`
          : nothing
      }
      ${
        model
          ? html`<p>
              ${state === 'absent' ? 'It has no connection yet. ' : nothing}What it reads is sent to
              <strong>${destinationOf(model)}</strong>.
            </p>`
          : nothing
      }
      ${
        isOutOfReach(assistant)
          ? html`<p role="status">
              It needs a connection to come in: its frame has a page of its own, which this browser
              cannot keep for it. Everything else works offline.
            </p>`
          : nothing
      }
      ${state === 'asking' ? html`<p>Waits for your answer.</p>` : nothing}
      ${grant ? html`<p>${grantInWords(grant)}</p>` : nothing}
      ${state === 'revoked' ? html`<p class="ended">Access ended. It sees nothing any more.</p>` : nothing}
      ${this.#renderActivity(assistant, entry)}
      <div class="buttons">
        ${
          // One button in every state: it keeps the focus, while the user is asked as well.
          html`<button
            class=${state === 'admitted' ? 'danger' : 'primary'}
            aria-disabled=${state === 'asking'}
            ?disabled=${isOutOfReach(assistant)}
            @click=${() => void (state === 'admitted' ? assistant.revoke() : this.letIn())}
          >
            ${state === 'admitted' ? nothing : icon('assistant')} ${ACTIONS[state]}
          </button>`
        }
        ${
          state === 'revoked' || state === 'admitted'
            ? html`<button @click=${() => void this.#dismiss(assistant)}>Close it</button>`
            : nothing
        }
        ${state === 'absent' ? this.#renderChoice(assistant) : nothing}
      </div>
      ${frame ?? nothing}
    </section>`;
  }

  /** Has its line from the beginning: a button for revoking must not move while one aims at it. */
  #renderActivity({ state }: AssistantSession, entry: ActivityEntry | undefined): unknown {
    if (entry) return html`<p class="activity">${this.#inWords(entry)}</p>`;
    return state === 'admitted' ? html`<p class="activity">Has read nothing yet</p>` : nothing;
  }

  #renderChoice(assistant: AssistantSession): TemplateResult {
    const isScripted = assistant.model === undefined;
    return html`
      <button @click=${() => void this.#chooseModel(assistant)}>
        ${isScripted ? 'Use a real model …' : 'Another model …'}
      </button>
      ${
        isScripted
          ? nothing
          : html`<button @click=${() => assistant.choose(undefined)}>Use the script</button>`
      }
    `;
  }

  /** The button goes with the assistant, and the focus to what lets one in again. */
  async #dismiss(assistant: AssistantSession): Promise<void> {
    assistant.dismiss();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('.assistant .buttons button')!.focus();
  }

  async #chooseModel(assistant: AssistantSession): Promise<void> {
    const { modelDialog } = await import('./model/model-dialog.js');
    const model = await modelDialog().ask(assistant.model);
    if (model) assistant.choose(model);
  }

  /** Opens the assistant's frame, and asks the user what it may do. */
  async letIn(): Promise<void> {
    const { assistant, runtime } = this.session!;
    if (isOutOfReach(assistant)) return;
    await assistant.letIn(await choicesOf(runtime));
  }

  /** What a connection has done last, in words; undefined if nothing. */
  #activityOf(connection: number): string | undefined {
    const entry = this.session?.connections.lastOf(connection);
    return entry && this.#inWords(entry);
  }

  #inWords(entry: ActivityEntry): string {
    return activityInWords(entry, (uri) => this.#titles.get(uri));
  }

  /** Of the first page: what was changed last is on it. */
  async #readTitles(): Promise<void> {
    const listed = this.session?.client.listResources().catch(() => undefined);
    const { resources = [] } = (await listed) ?? {};
    this.#titles = new Map(resources.map(({ uri, title, name }) => [uri, title || name]));
    this.requestUpdate();
  }
}

/** A service worker answers no request of a frame without an origin, so its page is never kept. */
const isOutOfReach = ({ state }: AssistantSession): boolean =>
  state === 'absent' && !navigator.onLine;

customElements.define('clients-pane', ClientsPane);

declare global {
  interface HTMLElementTagNameMap {
    'clients-pane': ClientsPane;
  }
}

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { destinationOf } from '../model/model-settings.js';
import type { Session } from '../session/session.js';
import { icon } from '../ui/icons.js';
import { sharedStyles } from '../ui/shared-styles.js';
import type { AssistantSession, AssistantState } from '../letting-in/assistant-session.js';
import { cardStyles } from '../letting-in/card.styles.js';
import '../letting-in/desktop-card.js';
import { grantInWords } from '../letting-in/grants.js';
import type { NoticeStack } from '../ui/notice-stack.js';

/** The action of the first button of an assistant. */
const ACTIONS: { [state in AssistantState]: string } = {
  absent: 'Let an assistant in',
  asking: 'Let an assistant in',
  admitted: 'End access',
  revoked: 'Let it in again',
};

/** The clients that may be let in to the server in this tab: the assistant, and desktop apps. */
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

      /* The chat has what the pane has: nothing is scrolled to read and to ask. */
      .assistant:has(iframe) {
        display: flex;
        flex: none;
        flex-direction: column;
        block-size: max(26rem, 100cqb - 1.8rem);
      }

      @container (max-height: 34rem) {
        .cards {
          padding: 0.4rem;
        }

        .assistant:has(iframe) {
          block-size: max(26rem, 100cqb - 0.8rem);
          padding-block-end: 0.5rem;
        }
      }

      iframe {
        flex: 1;
        inline-size: 100%;
        min-block-size: 0;
        margin-block-start: 0.5rem;
        border: 1px solid var(--_line);
        border-radius: 8px;
        background: var(--_surface);
      }
    `,
  ];

  static override readonly properties = {
    session: { attribute: false },
    notices: { attribute: false },
  };

  declare session: Session | undefined;
  declare notices: () => NoticeStack;

  readonly #onChange = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    for (const change of ['online', 'offline']) window.addEventListener(change, this.#onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const change of ['online', 'offline']) window.removeEventListener(change, this.#onChange);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('session')) this.session?.assistant.addEventListener('change', this.#onChange);
  }

  /**
   * Opens the assistant's frame, and asks the user for its access. The focus then moves into the assistant,
   * if it was let in. On its button, the next Enter would end its access.
   */
  async letIn(): Promise<void> {
    await this.updateComplete;
    this.#focusFirst();
    const { assistant } = this.session!;
    if (isOutOfReach(assistant)) return;
    await this.#ask(assistant);
    await this.updateComplete;
    if (assistant.state === 'admitted') assistant.frame?.focus();
  }

  async #ask(assistant: AssistantSession): Promise<void> {
    await assistant
      .letIn()
      .catch((error: unknown) => this.notices().fail(error, 'The assistant could not be let in'));
  }

  protected override render(): TemplateResult {
    const { session } = this;
    if (!session) return html`<div class="cards"><p class="muted">Starting …</p></div>`;
    return html`<div class="cards" role="group" aria-label="Clients" tabindex="0">
      ${this.#renderAssistant(session.assistant)}
      <desktop-card .desktop=${session.desktop}></desktop-card>
    </div>`;
  }

  #renderAssistant(assistant: AssistantSession): TemplateResult {
    const { state, grant, frame, model, name } = assistant;
    return html`<section class="card assistant" aria-label="Assistant">
      <h2>${icon('assistant')} ${name}</h2>
      ${
        model
          ? html`<p>What it reads is sent to <strong>${destinationOf(model)}</strong>.</p>`
          : nothing
      }
      ${
        state === 'absent' && !model
          ? html`<p>
              It can read nothing yet. Let it in, choose what it may read, and watch what it does:
              it is a script that only quotes your notes: no AI, no network.
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
      ${
        state === 'revoked'
          ? html`<p class="ended">Access ended. It no longer sees anything.</p>`
          : nothing
      }
      <div class="buttons">
        ${
          // The same button is used in every state, so that it keeps the focus, even while the user is asked.
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
          grant
            ? html`<button
                aria-disabled=${state === 'asking'}
                @click=${() => void this.#ask(assistant)}
              >
                Change …
              </button>`
            : nothing
        }
        ${
          state === 'revoked'
            ? html`<button @click=${() => void this.#dismiss(assistant)}>Close it</button>`
            : nothing
        }
        ${state === 'absent' ? this.#renderChoice(assistant) : nothing}
      </div>
      ${frame ?? nothing}
    </section>`;
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

  /** Closes the assistant. Its button is removed, and the focus moves to the button that lets it in again. */
  async #dismiss(assistant: AssistantSession): Promise<void> {
    assistant.dismiss();
    await this.updateComplete;
    this.#focusFirst();
  }

  #focusFirst(): void {
    this.renderRoot.querySelector<HTMLElement>('.assistant .buttons :enabled')!.focus();
  }

  async #chooseModel(assistant: AssistantSession): Promise<void> {
    const { modelDialog } = await import('../letting-in/model-dialog.js');
    const model = await modelDialog().ask(assistant.model);
    if (model) assistant.choose(model);
  }
}

/**
 * Whether the assistant cannot be loaded. A service worker answers no request of a frame without an origin,
 * so its page is never kept.
 */
const isOutOfReach = ({ state }: AssistantSession): boolean =>
  state === 'absent' && !navigator.onLine;

customElements.define('clients-pane', ClientsPane);

declare global {
  interface HTMLElementTagNameMap {
    'clients-pane': ClientsPane;
  }
}

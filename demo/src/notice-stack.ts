import { truncateText } from '@inpage-mcp/elements';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icon } from './icons.js';
import { sharedStyles } from './shared-styles.js';
import { sizeInWords } from './sizes.js';
import { reasonOf } from './storage-words.js';

/** What can be done about a notice, by a button of it. */
export interface NoticeAction {
  words: string;
  run: () => void;
}

/** How to add a notice that stays. */
export interface StandingOptions {
  /** Each puts the notice away, too, if it can be. Default: none. */
  actions?: readonly NoticeAction[];
  /** Whether it can be put away. Default: yes. */
  dismissible?: boolean;
}

/** The notice of something that takes its time. */
export interface ProgressNotice {
  /** How much is done, in bytes. */
  update(done: number, total: number): void;
  end(): void;
}

interface Notice {
  id: number;
  kind: 'info' | 'error' | 'standing' | 'progress';
  text: string;
  actions: readonly NoticeAction[];
  dismissible: boolean;
  /** Of `progress`, in bytes. */
  done?: { bytes: number; total: number };
}

/** How long a notice stays, in milliseconds; errors stay until they are dismissed. */
const NOTICE_MS = 4_000;

/** The most notices of a kind at a time; older ones give way, but for those that wait for an answer. */
const MAX_OF_A_KIND = 3;

/** What more an error may say is cut, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 1_000;

/** Short messages at the bottom of the page, read out politely. */
export class NoticeStack extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        position: fixed;
        inset-block-end: 1.2rem;
        inset-inline: 1rem;
        z-index: 2;
        pointer-events: none;
      }

      div[role='status'] {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        justify-items: center;
        gap: 0.5rem;
      }

      .notice {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        max-inline-size: 36rem;
        padding: 0.5rem 0.5rem 0.5rem 1rem;
        border-radius: 10px;
        background: light-dark(#16181d, #eceef2);
        color: light-dark(#ffffff, #16181d);
        box-shadow: 0 6px 24px rgb(0 0 0 / 25%);
        font-size: 0.875rem;
        overflow-wrap: anywhere;
        pointer-events: auto;
      }

      .notice.error {
        background: light-dark(#b42318, #ffa49a);
      }

      .notice.standing,
      .notice.progress {
        flex-wrap: wrap;
        padding: 0.75rem 0.75rem 0.75rem 1rem;
        border: 1px solid var(--line);
        background: var(--surface);
        color: var(--text);
      }

      .notice.standing {
        align-items: flex-start;
        border-color: var(--warning-line);
        background: var(--warning);
      }

      .standing > .icon {
        margin-block: 0.1rem;
      }

      .standing > .dismiss {
        margin: -0.45rem -0.45rem -0.45rem 0;
      }

      .text {
        display: -webkit-box;
        overflow: hidden;
        flex: 1;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 4;
        line-clamp: 4;
      }

      .standing > .text {
        min-inline-size: 70%;
        -webkit-line-clamp: none;
        line-clamp: none;
      }

      .progress {
        inline-size: 26rem;
        max-inline-size: 100%;
      }

      .progress > .text {
        min-inline-size: 100%;
        -webkit-line-clamp: 2;
        line-clamp: 2;
      }

      .done {
        display: flex;
        flex: 1 1 12rem;
        align-items: center;
        gap: 0.6rem;
        color: var(--muted);
        font-size: 0.8125rem;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }

      .done progress {
        flex: 1;
        min-inline-size: 4rem;
      }

      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        margin-inline-start: auto;
      }

      .standing .actions {
        order: 1;
        inline-size: 100%;
        padding-inline-start: 1.7rem;
      }

      .dismiss {
        inline-size: 2.1rem;
        padding: 0;
        border: 0;
        background: none;
        color: inherit;
      }

      .error .dismiss:hover:not(:disabled),
      .info .dismiss:hover:not(:disabled) {
        background: rgb(127 127 127 / 30%);
      }

      @media (max-width: 860px) {
        :host {
          inset-block-end: 4rem;
        }
      }
    `,
  ];

  #notices: readonly Notice[] = [];
  #count = 0;

  /** Says that something was done. */
  tell(text: string): void {
    const id = this.#add('info', text);
    setTimeout(() => this.#dismiss(id), NOTICE_MS);
  }

  /** Says what failed, and why. */
  fail(error: unknown, what?: string): void {
    const why = reasonOf(error);
    this.#add('error', what ? `${what}: ${why}` : why);
  }

  /** Says what the user has to know, until they have done something about it. */
  stand(text: string, options: StandingOptions = {}): void {
    this.#add('standing', text, options);
  }

  /** Shows how far something is, until it ends. */
  follow(text: string, actions: readonly NoticeAction[]): ProgressNotice {
    const id = this.#add('progress', text, { actions, dismissible: false });
    return {
      update: (bytes, total) => this.#change(id, { done: { bytes, total } }),
      end: () => this.#dismiss(id),
    };
  }

  protected override render(): TemplateResult {
    return html`<div role="status">
      ${repeat(
        this.#notices,
        ({ id }) => id,
        (notice) => this.#renderNotice(notice),
      )}
    </div>`;
  }

  #renderNotice({ id, kind, text, actions, dismissible, done }: Notice): TemplateResult {
    const act = (run: () => void) => (): void => {
      // The user may yet stay on the page.
      if (dismissible) this.#dismiss(id);
      run();
    };
    return html`<div class=${`notice ${kind}`}>
      ${kind === 'standing' ? icon('alert') : nothing}
      <span class="text">${text}</span>
      ${done ? renderProgress(done.bytes, done.total) : nothing}
      ${
        actions.length === 0
          ? nothing
          : html`<span class="actions">
              ${actions.map(
                ({ words, run }) => html`<button class="act" @click=${act(run)}>${words}</button>`,
              )}
            </span>`
      }
      ${
        dismissible
          ? html`<button class="dismiss" aria-label="Dismiss" @click=${() => this.#dismiss(id)}>
              ${icon('close')}
            </button>`
          : nothing
      }
    </div>`;
  }

  #add(
    kind: Notice['kind'],
    text: string,
    { actions = [], dismissible = true }: StandingOptions = {},
  ): number {
    const id = (this.#count += 1);
    const gives = (notice: Notice): boolean => notice.kind === kind && notice.dismissible;
    const [oldest] = this.#notices.filter(gives).slice(0, 1 - MAX_OF_A_KIND);
    const kept = this.#notices.filter((notice) => notice !== oldest);
    const shown = truncateText(text, MAX_TEXT_LENGTH);
    this.#notices = [...kept, { id, kind, text: shown, actions, dismissible }];
    this.requestUpdate();
    return id;
  }

  #change(id: number, change: Partial<Notice>): void {
    this.#notices = this.#notices.map((notice) =>
      notice.id === id ? { ...notice, ...change } : notice,
    );
    this.requestUpdate();
  }

  #dismiss(id: number): void {
    this.#notices = this.#notices.filter((notice) => notice.id !== id);
    this.requestUpdate();
  }
}

/** The numbers are not read out each time that they change; whoever asks is told by the bar. */
function renderProgress(bytes: number, total: number): TemplateResult {
  return html`<span class="done">
    <progress aria-label="Done" max=${total} .value=${bytes}></progress>
    <span aria-hidden="true">${sizeInWords(bytes)} of ${sizeInWords(total)}</span>
  </span>`;
}

customElements.define('notice-stack', NoticeStack);

declare global {
  interface HTMLElementTagNameMap {
    'notice-stack': NoticeStack;
  }
}

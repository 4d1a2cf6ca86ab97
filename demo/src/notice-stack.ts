import { css, html, LitElement, type TemplateResult } from 'lit';
import { icon } from './icons.js';
import { sharedStyles } from './shared-styles.js';

interface Notice {
  id: number;
  kind: 'info' | 'error';
  text: string;
}

/** How long a notice stays, in milliseconds; errors stay until they are dismissed. */
const NOTICE_MS = 4_000;

/** The most notices of a kind at a time; older ones give way. */
const MAX_OF_A_KIND = 3;

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

      .notice span {
        display: -webkit-box;
        overflow: hidden;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 4;
        line-clamp: 4;
      }

      .notice button {
        border: 0;
        background: none;
        color: inherit;
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
    const why = error instanceof Error ? error.message : String(error);
    this.#add('error', what ? `${what}: ${why}` : why);
  }

  protected override render(): TemplateResult {
    return html`<div role="status">
      ${this.#notices.map(
        ({ id, kind, text }) =>
          html`<div class=${`notice ${kind}`}>
            <span>${text}</span>
            <button aria-label="Dismiss" @click=${() => this.#dismiss(id)}>${icon('close')}</button>
          </div>`,
      )}
    </div>`;
  }

  #add(kind: Notice['kind'], text: string): number {
    const id = (this.#count += 1);
    const [oldest] = this.#notices
      .filter((notice) => notice.kind === kind)
      .slice(0, 1 - MAX_OF_A_KIND);
    const kept = this.#notices.filter((notice) => notice !== oldest);
    this.#notices = [...kept, { id, kind, text }];
    this.requestUpdate();
    return id;
  }

  #dismiss(id: number): void {
    this.#notices = this.#notices.filter((notice) => notice.id !== id);
    this.requestUpdate();
  }
}

customElements.define('notice-stack', NoticeStack);

declare global {
  interface HTMLElementTagNameMap {
    'notice-stack': NoticeStack;
  }
}

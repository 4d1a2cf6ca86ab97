import { css, html, type TemplateResult } from 'lit';
import { icon } from '../icons.js';
import { dialogStyles } from '../dialog.styles.js';
import { SeenElement } from '../seen-element.js';
import { sharedStyles } from '../shared-styles.js';
import { areSingleKeysOn, switchSingleKeys } from './shortcuts.js';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const CTRL = isMac ? '⌘' : 'Ctrl';

/** What keys do, by the place where they do it. */
const KEYS: readonly [place: string, keys: readonly [key: string, action: string][]][] = [
  [
    'Anywhere',
    [
      ['/', 'Search'],
      [`${CTRL} K`, 'Search, also while you type'],
      [`${CTRL} Z`, 'Bring back what was just deleted'],
      ['?', 'Show these keys'],
    ],
  ],
  [
    'In the list',
    [
      ['Up, Down', 'Read one after the other'],
      ['Enter', 'Open'],
      ['Shift Up, Down', 'Select several'],
      [`${CTRL} A`, 'Select all'],
      ['Delete', 'Delete what is selected'],
    ],
  ],
  [
    'While you search',
    [
      ['Down', 'Go to what was found'],
      ['Enter', 'Open the first'],
      ['Esc', 'Show everything again'],
    ],
  ],
];

/**
 * What the keys do.
 *
 * @slot - What else the user should see while it is open: all outside of it is inert then.
 * @fires opened
 * @fires closed
 */
export class KeysDialog extends SeenElement {
  static override readonly styles = [
    sharedStyles,
    dialogStyles,
    css`
      dialog {
        inline-size: min(30rem, calc(100vw - 1.5rem));
      }

      .head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        padding: 0.9rem 0.9rem 0 1.25rem;
      }

      h3 {
        margin: 1rem 0 0.3rem;
        color: var(--muted);
        font-size: 0.8125rem;
        font-weight: 600;
      }

      .keys {
        padding: 0 1.25rem 1.1rem;
      }

      dl {
        display: grid;
        grid-template-columns: fit-content(45%) minmax(0, 1fr);
        gap: 0.35rem 0.75rem;
        margin: 0;
        font-size: 0.875rem;
      }

      dt {
        min-inline-size: min(7rem, 100%);
      }

      dd {
        margin: 0;
        overflow-wrap: anywhere;
      }

      kbd {
        padding: 0.1rem 0.45rem;
        border: 1px solid var(--line);
        border-radius: 6px;
        background: var(--raised);
        font-family: inherit;
        font-size: 0.8125rem;
      }

      label {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        margin-block-start: 1.1rem;
        min-block-size: 1.5rem;
        font-size: 0.875rem;
      }
    `,
  ];

  /** Shows them. */
  open(): void {
    if (this.#dialog.open) return;
    this.#dialog.showModal();
    this.dispatchEvent(new Event('opened'));
  }

  protected override render(): TemplateResult {
    return html`<dialog
      aria-labelledby="title"
      @close=${() => this.dispatchEvent(new Event('closed'))}
    >
      <div class="head">
        <h2 id="title">Keys</h2>
        <button class="square" aria-label="Close" @click=${() => this.#dialog.close()}>
          ${icon('close')}
        </button>
      </div>
      <div class="keys">
        ${KEYS.map(
          ([place, keys]) =>
            html`<h3>${place}</h3>
              <dl>
                ${keys.map(
                  ([key, action]) =>
                    html`<dt><kbd>${key}</kbd></dt>
                      <dd>${action}</dd>`,
                )}
              </dl>`,
        )}
        <label>
          <input type="checkbox" .checked=${areSingleKeysOn()} @change=${this.#onSwitch} />
          <span><kbd>/</kbd> and <kbd>?</kbd> work without ${CTRL}</span>
        </label>
      </div>
      <slot></slot>
    </dialog>`;
  }

  #onSwitch(event: Event): void {
    switchSingleKeys((event.target as HTMLInputElement).checked);
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }
}

customElements.define('keys-dialog', KeysDialog);

declare global {
  interface HTMLElementTagNameMap {
    'keys-dialog': KeysDialog;
  }
}

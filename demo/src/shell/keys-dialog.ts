import { css, html, type ReactiveController, type TemplateResult } from 'lit';
import { forget, recall, remember } from '../session/remembered.js';
import { dialogStyles } from './dialog.styles.js';
import { icon } from './icons.js';
import { SeenElement } from './seen-element.js';
import { sharedStyles } from './shared-styles.js';

/** Says that keys without Ctrl or ⌘ do nothing. */
const OFF_KEY = 'inpage-mcp-demo-single-keys-off';

/** What keys of the page do; each returns whether it did something. */
export interface ShortcutActions {
  search(): boolean;
  showKeys(): boolean;
  undo(): boolean;
}

/** The keys that work wherever the focus is, but for what a field or a dialog does with them. */
export class Shortcuts implements ReactiveController {
  readonly #actions: ShortcutActions;

  constructor(actions: ShortcutActions) {
    this.#actions = actions;
  }

  hostConnected(): void {
    // Before the list, which takes every key for the beginning of a title.
    addEventListener('keydown', this.#onKeydown, { capture: true });
  }

  hostDisconnected(): void {
    removeEventListener('keydown', this.#onKeydown, { capture: true });
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const action = this.#actionOf(event);
    if (!action || !this.#actions[action]()) return;
    event.preventDefault();
    event.stopPropagation();
  };

  #actionOf(event: KeyboardEvent): keyof ShortcutActions | undefined {
    const path = event.composedPath();
    if (path.some((target) => target instanceof HTMLDialogElement)) return undefined;
    const isTyping = isField(path[0]);
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === 'k' && !event.shiftKey) return 'search';
      return key === 'z' && !event.shiftKey && !isTyping ? 'undo' : undefined;
    }
    // Who speaks to the computer may want to switch them off.
    if (isTyping || !areSingleKeysOn()) return undefined;
    if (event.key === '/') return 'search';
    return event.key === '?' ? 'showKeys' : undefined;
  }
}

const areSingleKeysOn = (): boolean => recall(OFF_KEY) === null;

function isField(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLInputElement)
    return !/^(button|checkbox|radio|file|range)$/.test(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLElement && target.isContentEditable;
}

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

      h3 {
        margin: 1rem 0 0.3rem;
        color: var(--_muted);
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
        border: 1px solid var(--_line);
        border-radius: 6px;
        background: var(--_raised);
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
        <h2 id="title">Keyboard shortcuts</h2>
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
    if ((event.target as HTMLInputElement).checked) forget(OFF_KEY);
    else remember(OFF_KEY, 'off');
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

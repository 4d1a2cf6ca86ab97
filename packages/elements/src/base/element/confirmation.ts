import { msg } from '@lit/localize';
import {
  css,
  html,
  nothing,
  type CSSResultGroup,
  type LitElement,
  type ReactiveController,
  type TemplateResult,
} from 'lit';
import { LongText, longTextStyles } from '../look/long-text.js';
import { writeJson } from '../text/json-text.js';

/** The time for which a question must be shown before a yes counts, in milliseconds. */
const GUARD_MS = 500;

/**
 * The maximum length of the values, in UTF-16 code units of their JSON. The user cannot agree to longer ones.
 */
const MAX_VALUES_LENGTH = 10_000_000;

/**
 * The exact texts of a question, and its buttons for a yes. A yes counts only after all of the texts have
 * been visible to the user. It does not count if the user may have meant another action: in the first moment,
 * which each key press and each click on a yes prolong, and for a key that was already held down.
 */
export class Confirmation implements ReactiveController {
  readonly #host: LitElement;
  #texts: readonly (readonly [part: 'message' | 'arguments', text: LongText])[] = [];
  /** Whether the text contains the values completely. */
  #isWritten = true;
  #isGuarded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  /** Starts with a question that appears: its text, and the values that it is about. */
  start({ message, values }: { message?: LongText; values?: unknown }): void {
    const json = values === undefined ? undefined : writeJson(values, MAX_VALUES_LENGTH);
    this.#isWritten = json?.isWhole ?? true;
    this.#texts = [
      ...(message ? [['message', message] as const] : []),
      ...(json ? [['arguments', new LongText(json.text)] as const] : []),
    ];
    this.#guard();
  }

  /** Whether a yes counts. */
  get isOpen(): boolean {
    return !this.#isGuarded && this.#isRead;
  }

  get #isRead(): boolean {
    return this.#isWritten && this.#texts.every(([, text]) => text.isRead);
  }

  /** Handles each `keydown` in the question; must be called with it. */
  readonly onkeydown = (event: KeyboardEvent): void => {
    const confirms = event.key === 'Enter' || event.key === ' ';
    if (confirms && event.repeat) event.preventDefault();
    const isTyping = confirms || event.key.length === 1;
    if (this.#isGuarded && isTyping) this.#guard();
  };

  /** The texts, each in a box that scrolls. */
  renderTexts(): readonly TemplateResult[] {
    const labels = {
      message: msg('Question', { id: 'mcp.consent.question' }),
      arguments: msg('Values', { id: 'mcp.consent.values' }),
    };
    const update = (): void => this.#host.requestUpdate();
    return this.#texts.map(([part, text]) => text.renderToRead(part, labels[part], update));
  }

  /** Renders a remark above the buttons, until all of the texts have been visible. */
  renderUnread(): TemplateResult | typeof nothing {
    if (this.#isRead) return nothing;
    const remark = this.#isWritten
      ? msg('Show the whole text before you agree.', { id: 'mcp.consent.not-whole' })
      : msg('The values are too long to be shown, so you cannot agree to them.', {
          id: 'mcp.consent.too-long',
        });
    return html`<p class="warning" id="unread">${remark}</p>`;
  }

  /** Renders a button whose click is a yes, if a yes counts and `isPossible`. */
  renderYes(className: string, text: string, onyes: () => void, isPossible = true): TemplateResult {
    const mayAgree = isPossible && this.isOpen;
    const click = (): void => {
      if (mayAgree) onyes();
      // One of a series of clicks that were meant for the previous content.
      else if (this.#isGuarded) this.#guard();
    };
    return html`<button
      type="button"
      class=${className}
      aria-disabled=${!mayAgree}
      aria-describedby=${this.#isRead ? nothing : 'unread'}
      @click=${click}
    >
      ${text}
    </button>`;
  }

  #guard(): void {
    this.#isGuarded = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isGuarded = false;
      this.#host.requestUpdate();
    }, GUARD_MS);
    this.#host.requestUpdate();
  }
}

/** The styles that a question needs; after those of the theme. */
export const confirmationStyles: CSSResultGroup = [
  longTextStyles,
  css`
    .scroller.arguments {
      padding: 0.6rem 0.8rem;
      border: 1px solid var(--_line);
      border-radius: var(--_radius);
      font-family: var(--_mono);
      font-size: 0.8125rem;
    }

    .warning {
      display: flex;
      gap: 0.5em;
      margin: 0;
      color: var(--_danger);
      font-size: 0.8125rem;
      overflow-wrap: anywhere;
    }

    .facts {
      margin: 0;
      color: var(--_muted);
      font-size: 0.8125rem;
      overflow-wrap: anywhere;
    }

    .buttons {
      display: flex;
      flex-wrap: wrap;
      gap: 0.6rem;
    }

    .buttons > button {
      overflow-wrap: anywhere;
    }

    /* As specific as the theme has it for the button that is the main one. */
    .buttons > button[aria-disabled='true']:enabled {
      border-color: var(--_line);
      background: var(--_raised);
      color: var(--_muted);
      cursor: default;
    }

    @media (forced-colors: active) {
      .buttons > button[aria-disabled='true']:enabled {
        border-color: GrayText;
        background: Canvas;
        color: GrayText;
      }
    }
  `,
];

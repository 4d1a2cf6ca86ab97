import { truncateText } from '@inpage-mcp/elements/classes';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { reasonOf } from './words.js';
import { icon } from './icons.js';
import { styles } from './notice-stack.styles.js';
import { sharedStyles } from './shared-styles.js';

/** An action of a notice, behind a button. */
interface NoticeAction {
  words: string;
  run: () => void;
}

interface NoticeOptions {
  /** The actions. Each also dismisses the notice, if it can be dismissed. Default: none. */
  actions?: readonly NoticeAction[];
  /** Whether the user can dismiss it. Default: yes. */
  dismissible?: boolean;
  /**
   * The time for which it stays, in milliseconds, which begins again when the pointer and the focus have left
   * it. Default: until it is dismissed.
   */
  timeMs?: number;
  /** Called when the notice is gone. */
  onend?: () => void;
}

interface Notice extends NoticeOptions {
  id: number;
  kind: 'info' | 'error' | 'standing';
  text: string;
  actions: readonly NoticeAction[];
  dismissible: boolean;
  timer?: ReturnType<typeof setTimeout>;
  /** The number of holders, which are the pointer and the focus, on the notice. */
  holders: number;
}

/** The default time for which a notice stays, in milliseconds; errors stay until they are dismissed. */
const NOTICE_MS = 4_000;

/**
 * The maximum number of notices of a kind at a time. Older ones are removed, except for those that wait for
 * an answer.
 */
const MAX_OF_A_KIND = 3;

/** The length at which the details of an error are cut, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 1_000;

/** Fired when the user was told that an operation has failed. */
export class FailureEvent extends Event {
  readonly error: unknown;

  constructor(error: unknown) {
    super('failure');
    this.error = error;
  }
}

/**
 * Short messages over the end of the open resource, which do not move anything, and are announced politely.
 *
 * @fires failure - A {@link FailureEvent}.
 */
export class NoticeStack extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  #notices: readonly Notice[] = [];
  #count = 0;

  /** Shows the message that an operation was carried out. Returns a function that removes it. */
  show(text: string, options: NoticeOptions = { timeMs: NOTICE_MS }): () => void {
    return this.#add('info', text, options);
  }

  /** Shows a failed operation, and the reason. */
  fail(error: unknown, what?: string): void {
    const why = reasonOf(error);
    this.#add('error', what ? `${what}: ${why}` : why);
    this.dispatchEvent(new FailureEvent(error));
  }

  /** Shows a message until the user has acted on it. Returns a function that removes it. */
  stand(text: string, options: NoticeOptions = {}): () => void {
    return this.#add('standing', text, options);
  }

  protected override render(): TemplateResult {
    return html`<div role="status" class=${this.#notices.length > 0 ? 'some' : ''}>
      ${repeat(
        this.#notices,
        ({ id }) => id,
        (notice) => this.#renderNotice(notice),
      )}
    </div>`;
  }

  #renderNotice(notice: Notice): TemplateResult {
    const { kind, text, actions, dismissible } = notice;
    const hold = (): void => this.#hold(notice, 1);
    const release = (): void => this.#hold(notice, -1);
    const act = (run: () => void) => (): void => {
      // This is done first, because an offer ends with its notice.
      run();
      if (dismissible) this.#dismiss(notice);
    };
    return html`<div
      class=${`notice ${kind}`}
      @pointerenter=${hold}
      @pointerleave=${release}
      @focusin=${hold}
      @focusout=${release}
    >
      ${kind === 'standing' ? icon('alert') : nothing}
      <span class="text">${text}</span>
      <span class="actions">
        ${actions.map(({ words, run }) => html`<button @click=${act(run)}>${words}</button>`)}
      </span>
      ${
        dismissible
          ? html`<button class="dismiss" aria-label="Dismiss" @click=${act(() => undefined)}>
              ${icon('close')}
            </button>`
          : nothing
      }
    </div>`;
  }

  #add(kind: Notice['kind'], text: string, options: NoticeOptions = {}): () => void {
    const notice: Notice = {
      actions: [],
      dismissible: true,
      ...options,
      id: (this.#count += 1),
      kind,
      text: truncateText(text, MAX_TEXT_LENGTH),
      holders: 0,
    };
    const gives = (one: Notice): boolean =>
      one.kind === kind && kind !== 'standing' && one.dismissible && !one.onend;
    const [oldest] = this.#notices.filter(gives).slice(0, 1 - MAX_OF_A_KIND);
    this.#notices = [...this.#notices.filter((one) => one !== oldest), notice];
    this.#hold(notice, 0);
    this.requestUpdate();
    return () => this.#dismiss(notice);
  }

  /** Stops the time of a notice while the user reads it, with the pointer or the focus on it. */
  #hold(notice: Notice, change: -1 | 0 | 1): void {
    notice.holders = Math.max(0, notice.holders + change);
    clearTimeout(notice.timer);
    const { timeMs, holders } = notice;
    if (timeMs !== undefined && holders === 0 && this.#notices.includes(notice))
      notice.timer = setTimeout(() => this.#dismiss(notice), timeMs);
  }

  #dismiss(notice: Notice): void {
    if (!this.#notices.includes(notice)) return;
    this.#notices = this.#notices.filter((one) => one !== notice);
    clearTimeout(notice.timer);
    notice.onend?.();
    this.requestUpdate();
  }
}

customElements.define('notice-stack', NoticeStack);

declare global {
  interface HTMLElementTagNameMap {
    'notice-stack': NoticeStack;
  }
}

import { truncateText } from '@inpage-mcp/elements/classes';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { reasonOf, sizeInWords } from '../../data/storage-words.js';
import { icon } from '../icons.js';
import { sharedStyles } from '../shared-styles.js';
import { styles } from './notice-stack.styles.js';

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
  /**
   * @param text What is done now.
   * @param words How much of it is done, for people. Default: `done` and `total` as sizes.
   */
  update(done: number, total: number, text: string, words?: string): void;
  end(): void;
}

/** What the user may do for a while. */
export interface Offer extends NoticeAction {
  /** How long, in milliseconds; it begins anew when the pointer and the focus have left the notice. */
  timeMs: number;
  /** Called when the notice is gone. */
  onend: () => void;
}

/** The notice of an offer. */
export interface OfferNotice {
  end(): void;
}

interface Notice {
  id: number;
  kind: 'info' | 'error' | 'standing' | 'progress' | 'offer';
  text: string;
  actions: readonly NoticeAction[];
  dismissible: boolean;
  /** Of `progress`. */
  done?: { done: number; total: number; words: string };
  /** Of `offer`. */
  timer?: NoticeTimer;
}

/** How long a notice stays, in milliseconds; errors stay until they are dismissed. */
const NOTICE_MS = 4_000;

/** The most notices of a kind at a time; older ones give way, but for those that wait for an answer. */
const MAX_OF_A_KIND = 3;

/** What more an error may say is cut, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 1_000;

/** Short messages at the bottom of the page, read out politely. */
export class NoticeStack extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  #notices: readonly Notice[] = [];
  #count = 0;

  /** Says that something was done. */
  show(text: string): void {
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
      update: (done, total, now, words = `${sizeInWords(done)} of ${sizeInWords(total)}`) =>
        this.#change(id, {
          done: { done, total, words },
          text: truncateText(now, MAX_TEXT_LENGTH),
        }),
      end: () => this.#dismiss(id),
    };
  }

  /** Says what was done, and what can be done about it for a while. */
  offer(text: string, { timeMs, onend, ...action }: Offer): OfferNotice {
    const id = this.#add('offer', text, { actions: [action] });
    this.#change(id, { timer: new NoticeTimer(timeMs, () => this.#dismiss(id), onend) });
    return { end: () => this.#dismiss(id) };
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

  #renderNotice({ id, kind, text, actions, dismissible, done, timer }: Notice): TemplateResult {
    const act = (run: () => void) => (): void => {
      // First, as an offer ends with its notice.
      run();
      if (dismissible) this.#dismiss(id);
    };
    return html`<div
      class=${`notice ${kind}`}
      @pointerenter=${timer?.hold}
      @pointerleave=${timer?.release}
      @focusin=${timer?.hold}
      @focusout=${timer?.release}
    >
      ${kind === 'standing' ? icon('alert') : nothing}
      <span class="text">${text}</span>
      ${done ? renderProgress(done) : nothing}
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
    this.#notices.find((notice) => notice.id === id)?.timer?.end();
    this.#notices = this.#notices.filter((notice) => notice.id !== id);
    this.requestUpdate();
  }
}

/** Screen readers do not announce each change of the numbers; the progress bar has them. */
function renderProgress({ done, total, words }: NonNullable<Notice['done']>): TemplateResult {
  return html`<span class="done">
    <progress aria-label="Done" max=${total} .value=${done}></progress>
    <span aria-hidden="true">${words}</span>
  </span>`;
}

customElements.define('notice-stack', NoticeStack);

declare global {
  interface HTMLElementTagNameMap {
    'notice-stack': NoticeStack;
  }
}

/** How long a notice is there, but for the time that the pointer or the focus is on it. */
class NoticeTimer {
  readonly #timeMs: number;
  readonly #onTimeout: () => void;
  readonly #onEnd: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #holders = 0;
  #isOver = false;

  /**
   * @param onTimeout Called when its time is over.
   * @param onEnd Called once, when it ends for whatever reason.
   */
  constructor(timeMs: number, onTimeout: () => void, onEnd: () => void) {
    this.#timeMs = timeMs;
    this.#onTimeout = onTimeout;
    this.#onEnd = onEnd;
    this.#start();
  }

  /** The user reads it. */
  readonly hold = (): void => {
    this.#holders += 1;
    clearTimeout(this.#timer);
  };

  /** The user has left it, by the pointer or by the focus: its whole time begins anew. */
  readonly release = (): void => {
    this.#holders = Math.max(0, this.#holders - 1);
    if (this.#holders === 0) this.#start();
  };

  end(): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
  }

  #start(): void {
    clearTimeout(this.#timer);
    if (!this.#isOver) this.#timer = setTimeout(this.#onTimeout, this.#timeMs);
  }
}

import { msg, str } from '@lit/localize';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import { Confirmation } from '../../base/element/confirmation.js';
import { icon, warningIcon } from '../../base/look/icons.js';
import { LongText } from '../../base/look/long-text.js';

/** The maximum number of questions of an app that wait at the same time; more are answered with a no. */
const MAX_WAITING = 8;

/** A question to the user about a request of an app. */
export interface AppQuestion {
  /** The question in one sentence. */
  title: string;
  /** The exact text that it is about, such as an address. */
  message?: string | undefined;
  /** The exact values that it is about. */
  values?: unknown;
  /** The text of the button for a yes. */
  yes: string;
  /** The text of the button for a yes to this and all later questions of its kind. Default: no such button. */
  always?: string | undefined;
  /** The kind of question, for such a yes: it also answers waiting questions of the same kind. */
  kind?: string | undefined;
  /** A signal whose abort withdraws the question. */
  signal: AbortSignal;
}

export type AppAnswer = 'yes' | 'always' | 'no';

interface Waiting {
  question: AppQuestion;
  answer(answer: AppAnswer): void;
}

/** The questions of one app, which are asked one after the other. */
export class AppQuestions {
  readonly #host: LitElement;
  readonly #confirmation: Confirmation;
  readonly #onfocus: () => void;
  #waiting: Waiting[] = [];

  /** @param onfocus Called when the focus was in the last question and needs another place. */
  constructor(host: LitElement, onfocus: () => void) {
    this.#host = host;
    this.#onfocus = onfocus;
    this.#confirmation = new Confirmation(host);
  }

  /** Whether a question is shown. */
  get isAsking(): boolean {
    return this.#waiting.length > 0;
  }

  /** The sentence of the question that is shown; empty without one. */
  get title(): string {
    return this.#waiting[0]?.question.title ?? '';
  }

  /** Asks the user. A question that is withdrawn is answered with a no. */
  ask(question: AppQuestion): Promise<AppAnswer> {
    if (this.#waiting.length >= MAX_WAITING || question.signal.aborted)
      return Promise.resolve('no');
    return new Promise((resolve) => {
      const waiting: Waiting = {
        question,
        answer: (answer) => {
          question.signal.removeEventListener('abort', no);
          const wasShown = this.#waiting[0] === waiting;
          this.#waiting = this.#waiting.filter((one) => one !== waiting);
          const { kind } = question;
          if (answer === 'always')
            for (const one of this.#waiting) if (one.question.kind === kind) one.answer('yes');
          if (wasShown) this.#show();
          resolve(answer);
        },
      };
      const no = (): void => waiting.answer('no');
      question.signal.addEventListener('abort', no);
      this.#waiting.push(waiting);
      if (this.#waiting.length === 1) this.#show();
    });
  }

  render(): TemplateResult | typeof nothing {
    const [waiting] = this.#waiting;
    if (!waiting) return nothing;
    const { title, yes, always } = waiting.question;
    const keydown = (event: KeyboardEvent): void => {
      this.#confirmation.onkeydown(event);
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      // In full screen, the key would also close the dialog.
      event.preventDefault();
      waiting.answer('no');
    };
    return html`<section
      class="question"
      part="question"
      aria-labelledby="question"
      @keydown=${keydown}
    >
      <h4 id="question" tabindex="-1">${icon(warningIcon)} <span>${title}</span></h4>
      ${this.#confirmation.renderTexts()} ${this.#confirmation.renderUnread()}
      <div class="buttons">
        ${this.#confirmation.renderYes('primary yes', yes, () => waiting.answer('yes'))}
        ${always ? this.#confirmation.renderYes('always', always, () => waiting.answer('always')) : nothing}
        <button type="button" class="no" @click=${() => waiting.answer('no')}>
          ${msg('Don’t', { id: 'mcp.app.no' })}
        </button>
      </div>
    </section>`;
  }

  #show(): void {
    const hadFocus = this.#host.renderRoot.querySelector('.question:focus-within') !== null;
    const question = this.#waiting[0]?.question;
    if (question) {
      const { message, values } = question;
      this.#confirmation.start({
        ...(message !== undefined && { message: new LongText(message) }),
        values,
      });
    }
    this.#host.requestUpdate();
    void this.#host.updateComplete.then(() => {
      // An app must not take the focus from the rest of the page, because the user's typing would then go to
      // the app.
      const isFree = hadFocus || this.#host.matches(':focus-within') || !hasFocus();
      const heading = this.#host.renderRoot.querySelector<HTMLElement>('#question');
      if (heading && isFree) {
        heading.focus();
        // Moving only the focus would leave the values and the buttons outside the visible part.
        heading.parentElement?.scrollIntoView({ block: 'nearest' });
      } else if (hadFocus) this.#onfocus();
    });
  }
}

/** Whether anything in the page has the focus. */
function hasFocus(): boolean {
  const { activeElement, body } = document;
  return activeElement !== null && activeElement !== body;
}

/** The texts of the questions. `app` is the app's name, as its server states it. */
export const questions = {
  call: (app: string, tool: string) => ({
    title: msg(str`The app “${app}” wants to call “${tool}” with these values.`, {
      id: 'mcp.app.call',
    }),
    yes: msg('Call it', { id: 'mcp.app.call-yes' }),
    always: msg('Call it, and don’t ask again for this tool', { id: 'mcp.app.call-always' }),
  }),
  link: (app: string) => ({
    title: msg(str`The app “${app}” wants to open this address. It may carry your data there.`, {
      id: 'mcp.app.link',
    }),
    yes: msg('Open it', { id: 'mcp.app.link-yes' }),
  }),
  download: (app: string) => ({
    title: msg(str`The app “${app}” wants to save these files on your device.`, {
      id: 'mcp.app.download',
    }),
    yes: msg('Save them', { id: 'mcp.app.download-yes' }),
  }),
  reach: (app: string) => ({
    title: msg(
      str`The app “${app}” wants to load from these addresses, and may send them what it sees.`,
      { id: 'mcp.app.reach' },
    ),
    yes: msg('Allow them', { id: 'mcp.app.reach-yes' }),
  }),
};

import { updateWhenLocaleChanges } from '@lit/localize';
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { Confirmation, confirmationStyles } from '../../base/element/confirmation.js';
import { internalsOf } from '../../base/element/internals.js';
import { LongText } from '../../base/look/long-text.js';
import { loadPart } from '../../base/look/load-part.js';
import { fieldStyles } from '../../fields/form/fields.styles.js';
import type { SchemaForm } from '../../fields/form/schema-form.js';
import { theme } from '../../base/look/theme.js';
import type { ConsentDocument } from './document.js';
import {
  elicitContent,
  McpConsentAnswerEvent,
  hasFields,
  isYes,
  keyOf,
  originOf,
  type Confirm,
  type Elicit,
  type ElicitAsker,
  type ConsentAnswer,
  type ConsentDecision,
  type ConsentDocuments,
  type ConsentQuestion,
  type ConsentStore,
  type LastingDecision,
} from './question.js';
import { styles } from './mcp-consent.styles.js';
import { QuestionQueue, type PendingQuestion } from './question-queue.js';
import { renderQuestion, type QuestionView } from './render-question.js';

/** The time in milliseconds after which the user is asked if the store does not answer. */
const STORE_TIMEOUT_MS = 2_000;

/**
 * Asks the user, in a modal dialog: who asks, for what, in the exact words, with yes or no, and with
 * fields to fill in. Several questions follow one another.
 *
 * Everything in a question is shown as text, with the codes of what cannot be seen. A yes counts when
 * all of the text was in sight: no key or click does in the first 500 ms of a question, nor as long as
 * the user is typing.
 *
 * @element mcp-consent
 * @fires mcp-consent-answer - The user has answered a question, or closed it.
 * @csspart dialog - The dialog.
 * @csspart asker - Who asks.
 * @csspart message - What is asked: the exact words, or what becomes of a note.
 * @csspart arguments - The values that a tool is to run with.
 * @csspart fields - What the user fills in.
 * @csspart text - The text of the question, and that of the values.
 * @cssstate open - A question is shown.
 */
export class McpConsent extends LitElement {
  static override readonly styles = [theme, fieldStyles, confirmationStyles, styles];

  static override readonly properties: PropertyDeclarations = {
    remember: { attribute: false },
  };

  /**
   * The store of the answers “always” and “never”, such as `new Map()`: a question with a remembered answer
   * is not shown. Default: none, and the user can answer each question only for once.
   */
  declare remember: ConsentStore | undefined;

  readonly #internals = internalsOf(this);
  readonly #queue = new QuestionQueue(() => void this.#advance());
  readonly #confirmation = new Confirmation(this);
  /** The fields of the question that is shown; their code is loaded when they are first needed. */
  #form: SchemaForm | undefined;
  /** The change of a note that the question is about. */
  #document: ConsentDocument | undefined;
  #shown: PendingQuestion | undefined;
  #mustFocus = false;
  #focusedBefore: Element | undefined;

  constructor() {
    super();
    updateWhenLocaleChanges(this);
  }

  /**
   * Asks the user. Questions are asked one after another; if too many wait (100 of all askers, 20 of
   * one), or a text has more than 2,000,000 characters, the answer is `decline` at once.
   *
   * @param options.signal Withdraws the question: the answer is then `cancel`.
   * @returns The answer. Never rejects. Pends until the user answers, without a timeout.
   */
  async ask(
    question: ConsentQuestion,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<ConsentAnswer> {
    if (!this.isConnected) return { decision: 'cancel' };
    return await this.#queue.add(question, options.signal);
  }

  /**
   * This dialog as the `confirm` of `startRuntime`.
   *
   * @param documents Returns the notes, so that their changes can be shown: the runtime that asks, if it has
   *   the tools of `@inpage-mcp/server`. Default: messages and values are shown.
   */
  asConfirm(documents?: () => ConsentDocuments | undefined): Confirm {
    return async ({ tool, message, arguments: values, origin }, { signal }) => {
      const question = { tool, message, arguments: values, origin, documents: documents?.() };
      return isYes(await this.ask(question, { signal }));
    };
  }

  /**
   * This dialog as the `elicit` of `connectClient`.
   *
   * @param asker The server that asks: its origin, if it has one, and its name.
   */
  asElicit(asker: ElicitAsker = {}): Elicit {
    return async ({ message, requestedSchema }, { signal }) => {
      const question = { ...asker, message, requestedSchema, lasting: false };
      const answer = await this.ask(question, { signal });
      if (isYes(answer)) return { action: 'accept', content: elicitContent(answer.content) };
      return { action: answer.decision === 'cancel' ? 'cancel' : 'decline' };
    };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const pending of this.#queue.all()) pending.settle({ decision: 'cancel' });
  }

  protected override willUpdate(): void {
    // The states are absent in jsdom.
    const states = this.#internals.states as CustomStateSet | undefined;
    if (this.#shown) states?.add('open');
    else states?.delete('open');
  }

  protected override updated(): void {
    const dialog = this.#dialog();
    // The dialog stays open between two questions, so that the focus does not return to the page.
    if (this.#queue.length === 0) this.#close(dialog);
    else if (this.#shown && !dialog.open) {
      this.#focusedBefore = focusedElement();
      dialog.showModal();
    }
    if (this.#shown && this.#mustFocus) this.renderRoot.querySelector('h2')!.focus();
    this.#mustFocus = false;
  }

  protected override render(): TemplateResult {
    return html`<dialog
      part="dialog"
      aria-labelledby="title"
      @keydown=${this.#confirmation.onkeydown}
      @close=${this.#onclose}
    >
      ${
        this.#shown
          ? keyed(
              this.#document ?? this.#shown,
              renderQuestion(this.#shown.question, this.#viewOf(this.#shown)),
            )
          : nothing
      }
    </dialog>`;
  }

  /** Shows the first question, unless its answer is remembered. */
  async #advance(): Promise<void> {
    const { first } = this.#queue;
    if (first === this.#shown) return this.requestUpdate();
    this.#show(undefined);
    if (!first) return;
    const remembered = await this.#recall(first.question);
    if (remembered) return first.settle({ decision: remembered });
    try {
      const form = await this.#formFor(first.question);
      const document = await this.#documentFor(first.question);
      if (first === this.#queue.first && first !== this.#shown) this.#show(first, form, document);
    } catch {
      // The code of the fields could not be loaded, so the user was not asked.
      first.settle({ decision: 'cancel' });
    }
  }

  async #formFor(question: ConsentQuestion): Promise<SchemaForm | undefined> {
    if (!hasFields(question)) return undefined;
    const fields = await loadPart(() => import('../../fields/form/schema-form.js'));
    const form = new fields.SchemaForm(this);
    form.show(question.requestedSchema);
    return form;
  }

  /**
   * Makes the document of a question. If that is not possible, the question shows its message and its values.
   */
  async #documentFor(question: ConsentQuestion): Promise<ConsentDocument | undefined> {
    if (!question.documents) return undefined;
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, STORE_TIMEOUT_MS));
    const loaded = loadPart(() => import('./document.js'));
    const document = loaded.then(({ documentOf }) => documentOf(question));
    return await Promise.race([document.catch(() => undefined), late]);
  }

  async #recall(question: ConsentQuestion): Promise<LastingDecision | undefined> {
    if (!this.remember || !this.#mayLast(question)) return undefined;
    try {
      const late = new Promise<undefined>((resolve) => setTimeout(resolve, STORE_TIMEOUT_MS));
      const decision = await Promise.race([this.remember.get(keyOf(question)), late]);
      return decision === 'always' || decision === 'never' ? decision : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether the answer can also apply to all later questions. */
  #mayLast(question: ConsentQuestion): boolean {
    const isKept = this.remember !== undefined && question.tool !== undefined;
    const isOfOne = originOf(question.origin) !== undefined;
    return (question.lasting ?? isKept) && isOfOne && !hasFields(question);
  }

  #show(pending: PendingQuestion | undefined, form?: SchemaForm, document?: ConsentDocument): void {
    this.#shown = pending;
    this.#form = form;
    this.#document = document;
    if (pending) {
      const { message, arguments: values } = pending.question;
      const text = document?.text ?? new LongText(message);
      this.#confirmation.start({ message: text, values: document ? undefined : values });
    }
    this.#mustFocus = pending !== undefined;
    this.requestUpdate();
  }

  /** Handles a dialog that was closed by Escape, or by the browser in its own way. */
  readonly #onclose = (): void => {
    // The event comes late: the next question may be open already.
    if (this.#shown && !this.#dialog().open) this.#answer(this.#shown, 'cancel');
  };

  #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }

  /**
   * Closes a dialog. The dialog returns the focus to the element that had it, but not to a frame in which an
   * element had it.
   */
  #close(dialog: HTMLDialogElement): void {
    dialog.close();
    if (this.#focusedBefore instanceof HTMLIFrameElement) this.#focusedBefore.focus();
    this.#focusedBefore = undefined;
  }

  #viewOf(pending: PendingQuestion): QuestionView {
    return {
      confirmation: this.#confirmation,
      form: this.#form,
      document: this.#document,
      mayLast: this.#mayLast(pending.question),
      waiting: this.#queue.length - 1,
      answer: (decision) => {
        if (!isYes({ decision })) this.#answer(pending, decision);
        else if (this.#document) void this.#agree(pending, decision);
        else if (this.#form?.check() !== false) this.#answer(pending, decision, this.#form?.value);
      },
      refuseAll: () => {
        for (const one of this.#queue.all()) this.#answer(one, 'decline');
      },
    };
  }

  /**
   * Accepts a yes. It is valid only for the content that was shown: if another client has changed the note
   * since, the user is asked again.
   */
  async #agree(pending: PendingQuestion, decision: ConsentDecision): Promise<void> {
    const [shown, now] = [this.#document, await this.#documentFor(pending.question)];
    if (pending !== this.#shown || shown !== this.#document) return;
    if (now?.revision === shown?.revision) this.#answer(pending, decision);
    else this.#show(pending, undefined, now);
  }

  #answer(
    pending: PendingQuestion,
    decision: ConsentDecision,
    content?: { [name: string]: unknown },
  ): void {
    const answer = content ? { decision, content } : { decision };
    if (decision === 'always' || decision === 'never') this.#keep(pending.question, decision);
    pending.settle(answer);
    this.dispatchEvent(new McpConsentAnswerEvent(pending.question, answer));
  }

  /** Stores a lasting answer. A store that fails does not change the answer. */
  #keep(question: ConsentQuestion, decision: LastingDecision): void {
    try {
      Promise.resolve(this.remember?.set(keyOf(question), decision)).catch(() => undefined);
    } catch {
      // The question will be asked again.
    }
  }
}

function focusedElement(): Element | undefined {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused ?? undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-consent': McpConsent;
  }
}

import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import type { SchemaForm } from '../../fields/form/schema-form.js';
import { LongText } from '../../base/look/long-text.js';
import { formatNumber } from '../../base/text/format.js';
import { writeJson } from '../../base/text/json-text.js';
import { lastingText, renderAsker } from './asker.js';
import { hasFields, type ConsentQuestion } from './question.js';
import type { PendingQuestion } from './question-queue.js';

/** How much of the arguments is shown, in UTF-16 code units. */
const MAX_ARGUMENTS_LENGTH = 2_000_000;

/** A question that is shown: its exact texts. */
export class ShownQuestion {
  readonly pending: PendingQuestion;
  readonly message: LongText;
  readonly values: LongText | undefined;
  /** Whether the values are so short, and such, that they can be shown. */
  readonly #isWritten: boolean = true;

  constructor(pending: PendingQuestion) {
    const { message, arguments: values } = pending.question;
    this.pending = pending;
    this.message = new LongText(message);
    if (values === undefined) return;
    const { text, isWhole } = writeJson(values, MAX_ARGUMENTS_LENGTH);
    this.values = new LongText(text);
    this.#isWritten = isWhole;
  }

  /** Whether the user has had all of it in sight. */
  get isRead(): boolean {
    return this.message.isRead && (this.values?.isRead ?? true) && this.#isWritten;
  }
}

/** What the user can do with a question. */
export interface QuestionActions {
  /** Whether the answer may be for all later questions, too. */
  readonly mayLast: boolean;
  /** Whether a yes counts: the question is there long enough. */
  readonly isReady: boolean;
  /** How many questions wait behind it. */
  readonly waiting: number;
  refuse(decision: 'decline' | 'never'): void;
  agree(decision: 'once' | 'always'): void;
  refuseAll(): void;
  update(): void;
}

/** A question, with all that the user needs to answer it. */
export function renderQuestion(
  shown: ShownQuestion,
  form: SchemaForm | undefined,
  actions: QuestionActions,
): TemplateResult {
  const { question } = shown.pending;
  const [label, values] = [
    msg('Question', { id: 'mcp.consent.question' }),
    msg('Values', { id: 'mcp.consent.values' }),
  ];
  return html`<h2 id="title" tabindex="-1">${titleOf(question)}</h2>
    ${renderAsker(question)} ${shown.message.renderToRead('message', label, () => actions.update())}
    ${shown.values?.renderToRead('arguments', values, () => actions.update()) ?? nothing}
    ${form ? renderFields(form, question) : nothing} ${renderButtons(shown, actions)}
    ${renderWaiting(actions)}`;
}

function renderFields(form: SchemaForm, { texts }: ConsentQuestion): TemplateResult {
  // What the page itself asks for is not sent to an asker.
  if (texts) return html`${form.render()}`;
  return html`${form.render()}
    <p class="facts">
      ${msg('Do not enter passwords or other secrets here.', { id: 'mcp.consent.secrets' })}
    </p>`;
}

function renderButtons(shown: ShownQuestion, actions: QuestionActions): TemplateResult {
  const { question } = shown.pending;
  const { mayLast } = actions;
  const [never, always] = [
    msg('Never', { id: 'mcp.consent.never' }),
    msg('Always', { id: 'mcp.consent.always' }),
  ];
  return html`${mayLast ? html`<p class="facts">${lastingText(question)}</p>` : nothing}
    ${shown.isRead ? nothing : renderNotRead()}
    <div class="buttons">
      ${renderNo('decline', noText(question), actions)}
      ${mayLast ? renderNo('never', never, actions) : nothing}
      ${mayLast ? renderYes('always', always, shown, actions) : nothing}
      ${renderYes('once', yesText(question, mayLast), shown, actions)}
    </div>`;
}

function renderNotRead(): TemplateResult {
  return html`<p class="warning" id="unread">
    ${msg('Show the whole text before you agree.', { id: 'mcp.consent.not-whole' })}
  </p>`;
}

function renderNo(
  decision: 'decline' | 'never',
  text: string,
  actions: QuestionActions,
): TemplateResult {
  return html`<button type="button" class=${decision} @click=${() => actions.refuse(decision)}>
    ${text}
  </button>`;
}

function renderYes(
  decision: 'once' | 'always',
  text: string,
  { isRead }: ShownQuestion,
  actions: QuestionActions,
): TemplateResult {
  const mayAgree = actions.isReady && isRead;
  return html`<button
    type="button"
    class="${decision} ${decision === 'once' ? 'primary' : ''}"
    aria-disabled=${!mayAgree}
    aria-describedby=${isRead ? nothing : 'unread'}
    @click=${() => mayAgree && actions.agree(decision)}
  >
    ${text}
  </button>`;
}

function renderWaiting({ waiting, refuseAll }: QuestionActions): TemplateResult | typeof nothing {
  if (waiting < 1) return nothing;
  const count = formatNumber(waiting);
  return html`<p class="waiting">
    <span>${msg(str`More questions: ${count}`, { id: 'mcp.consent.more' })}</span>
    <button type="button" class="decline-all" @click=${() => refuseAll()}>
      ${msg('Say no to all', { id: 'mcp.consent.decline-all' })}
    </button>
  </p>`;
}

function titleOf(question: ConsentQuestion): string {
  if (question.texts?.title) return question.texts.title;
  if (hasFields(question)) return msg('You are asked for details', { id: 'mcp.consent.details' });
  return question.tool === undefined
    ? msg('A question for you', { id: 'mcp.consent.title' })
    : msg('Do you allow this?', { id: 'mcp.consent.allow' });
}

function noText(question: ConsentQuestion): string {
  if (question.texts?.no) return question.texts.no;
  return hasFields(question)
    ? msg('Do not send', { id: 'mcp.consent.do-not-send' })
    : msg('No', { id: 'mcp.consent.no' });
}

function yesText(question: ConsentQuestion, mayLast: boolean): string {
  if (question.texts?.yes) return question.texts.yes;
  if (hasFields(question)) return msg('Send', { id: 'mcp.consent.send' });
  return mayLast
    ? msg('Yes, this time', { id: 'mcp.consent.yes-once' })
    : msg('Yes', { id: 'mcp.consent.yes' });
}

import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import type { Confirmation } from '../../base/element/confirmation.js';
import { icon, warningIcon } from '../../base/look/icons.js';
import { formatNumber } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { ConsentDocument } from './document.js';
import type { SchemaForm } from '../../fields/form/schema-form.js';
import { hasFields, originOf, type ConsentDecision, type ConsentQuestion } from './question.js';

/** The state of a question, and the acts of the user. */
export interface QuestionView {
  readonly confirmation: Confirmation;
  /** The fields to fill in, if they exist. */
  readonly form: SchemaForm | undefined;
  /** The change of a note, if the question is about one. */
  readonly document: ConsentDocument | undefined;
  /** Whether the answer may also apply to all later questions. */
  readonly mayLast: boolean;
  /** The number of questions that wait after this one. */
  readonly waiting: number;
  answer(decision: ConsentDecision): void;
  refuseAll(): void;
}

/** Renders a question with everything that the user needs to answer it. */
export function renderQuestion(asked: ConsentQuestion, view: QuestionView): TemplateResult {
  const { confirmation, form, document } = view;
  const question = document ? { ...asked, texts: document.texts } : asked;
  return html`<h2 id="title" tabindex="-1">${titleOf(question)}</h2>
    ${renderAsker(question, document === undefined)} ${confirmation.renderTexts()}
    ${form?.render() ?? nothing}
    ${
      // Values that the page itself asks for are not sent to an asker.
      form && !question.texts
        ? html`<p class="facts">
            ${msg('Do not enter passwords or other secrets here.', { id: 'mcp.consent.secrets' })}
          </p>`
        : nothing
    }
    ${renderButtons(question, view)} ${renderWaiting(view)}`;
}

/**
 * The asker: the part that is certain, and the asker's own description of itself. An `origin` that is not an
 * origin, such as the name of a program, is only a name.
 *
 * @param hasTool Whether the name of the tool adds information to the question.
 */
function renderAsker(
  { origin, requester, tool }: ConsentQuestion,
  hasTool: boolean,
): TemplateResult {
  const exact = origin === 'null' ? origin : originOf(origin);
  const names = exact === undefined ? [origin, requester] : [requester];
  const name = names.filter(Boolean).map((one) => nameText(one as string));
  return html`<dl class="asker" part="asker">
    ${exact !== undefined || name.length === 0 ? renderFact(msg('Who asks', { id: 'mcp.consent.who' }), renderOrigin(exact)) : nothing}
    ${
      name.length > 0
        ? renderFact(
            msg('Calls itself', { id: 'mcp.consent.calls-itself' }),
            html`<bdi>${name.join(', ')}</bdi>`,
          )
        : nothing
    }
    ${
      tool === undefined || !hasTool
        ? nothing
        : renderFact(
            msg('Tool', { id: 'mcp.consent.tool' }),
            html`<code dir="ltr">${nameText(tool)}</code>`,
          )
    }
  </dl>`;
}

function renderFact(name: string, value: unknown): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** The origin, with a warning if its letters, which are not shown, can look like those of another origin. */
function renderOrigin(origin: string | undefined): unknown {
  if (origin === undefined) return msg('This page', { id: 'mcp.consent.this-page' });
  if (origin === 'null')
    return msg('A sandboxed frame, without an address', { id: 'mcp.consent.no-origin' });
  const lookAlike = msg('This address has letters that can look like others.', {
    id: 'mcp.consent.look-alike',
  });
  return html`<code class="origin" dir="ltr">${origin}</code> ${
      /\bxn--/.test(origin)
        ? html`<span class="warning">${icon(warningIcon)}<span>${lookAlike}</span></span>`
        : nothing
    }`;
}

/** A name that nobody has checked, on one line. */
function nameText(name: string): string {
  return truncateText(name).replaceAll('\n', '⟨U+000A⟩').replaceAll('\t', '⟨U+0009⟩');
}

function renderButtons(question: ConsentQuestion, view: QuestionView): TemplateResult {
  const { confirmation, mayLast, answer } = view;
  const [never, always] = [
    msg('Never', { id: 'mcp.consent.never' }),
    msg('Always', { id: 'mcp.consent.always' }),
  ];
  const no = (decision: 'decline' | 'never', text: string): TemplateResult =>
    html`<button type="button" class=${decision} @click=${() => answer(decision)}>${text}</button>`;
  return html`${mayLast ? html`<p class="facts">${lastingText(question)}</p>` : nothing}
    ${confirmation.renderUnread()}
    <div class="buttons">
      ${view.form?.renderChosen() ?? nothing} ${no('decline', noText(question))}
      ${
        mayLast
          ? html`${no('never', never)}
            ${confirmation.renderYes('always', always, () => answer('always'))}`
          : nothing
      }
      ${confirmation.renderYes('once primary', yesText(question, mayLast), () => answer('once'))}
    </div>`;
}

function renderWaiting({ waiting, refuseAll }: QuestionView): TemplateResult | typeof nothing {
  if (waiting < 1) return nothing;
  const count = formatNumber(waiting);
  return html`<p class="waiting">
    <span>${msg(str`More questions: ${count}`, { id: 'mcp.consent.more' })}</span>
    <button type="button" class="decline-all" @click=${() => refuseAll()}>
      ${msg('Say no to all', { id: 'mcp.consent.decline-all' })}
    </button>
  </p>`;
}

/** The meaning of `always` and `never`. */
function lastingText({ tool }: ConsentQuestion): string {
  const name = nameText(tool ?? '');
  return name
    ? msg(str`“Always” and “Never” are for every use of ${name} by the same asker.`, {
        id: 'mcp.consent.lasting-tool',
      })
    : msg('“Always” and “Never” are for every question of the same asker.', {
        id: 'mcp.consent.lasting',
      });
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
    : msg('No', { id: 'mcp.field.no' });
}

function yesText(question: ConsentQuestion, mayLast: boolean): string {
  if (question.texts?.yes) return question.texts.yes;
  if (hasFields(question)) return msg('Send', { id: 'mcp.consent.send' });
  return mayLast
    ? msg('Yes, this time', { id: 'mcp.consent.yes-once' })
    : msg('Yes', { id: 'mcp.field.yes' });
}

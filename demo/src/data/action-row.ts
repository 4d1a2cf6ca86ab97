import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shell/icons.js';
import type { ActionRunner, DataAction, Outcome, Task } from './action-runner.js';
import { amountOf, percentOf } from './storage-words.js';

/** An action, in words. */
export interface ActionRow {
  action: DataAction;
  symbol: Parameters<typeof icon>[0];
  title: string;
  text: string;
  /** Absent if the action is done already. */
  button?: TemplateResult;
  /** The fields of the action. */
  form?: TemplateResult;
}

/** One action on all of the data, its progress and its result. */
export function renderActionRow(runner: ActionRunner, row: ActionRow): TemplateResult {
  const { action, symbol, title, text, button, form } = row;
  const { task, outcome } = runner;
  return html`<section class="row" aria-label=${title}>
    ${button ? icon(symbol) : icon('check', 'good')}
    <div class="heading">
      <h3>${title}</h3>
      <p class="words muted">${text}</p>
    </div>
    <div class="action">${button ?? nothing}</div>
    ${form ? html`<div class="form">${form}</div>` : nothing}
    ${task?.action === action ? renderTask(task, () => runner.cancel()) : nothing}
    <div class="outcome" role="status">
      ${outcome?.action === action ? renderOutcome(outcome) : nothing}
    </div>
  </section>`;
}

/** Not `disabled` while an action runs: the button would lose the focus. */
export function renderActionButton(
  runner: ActionRunner,
  button: { action: DataAction; words: string; run: () => unknown; className?: string },
): TemplateResult {
  const { action, words, run, className = '' } = button;
  const click = (): void => {
    if (!runner.task) run();
  };
  return html`<button
    class=${className}
    data-action=${action}
    aria-disabled=${runner.task ? 'true' : 'false'}
    @click=${click}
  >
    ${words}
  </button>`;
}

function renderTask({ words, progress, stalled }: Task, cancel: () => void): TemplateResult {
  if (!progress) return html`<div class="task">${words}</div>`;
  const { done, total } = progress;
  return html`<div class="task">
    ${
      total > 0 && !stalled
        ? html`<progress aria-label=${words} max=${total} .value=${done}></progress>`
        : html`<progress aria-label=${words}></progress>`
    }
    <span aria-hidden="true">${percentOf(done, total)} %</span>
    <button @click=${cancel}>Cancel</button>
  </div>`;
}

function renderOutcome({ words, failed, lines = [] }: Outcome): TemplateResult {
  return html`<div class=${failed ? 'failed' : ''} role=${failed ? 'alert' : nothing}>
    ${words}
    ${
      lines.length > 0
        ? html`<ul>
            ${lines.map((line) => html`<li>${line}</li>`)}
          </ul>`
        : nothing
    }
  </div>`;
}

/** What the rows of “Your data” are made of. */
export interface DataRows {
  /** Whether the browser keeps the data already. */
  persisted: boolean;
  buttons: { [action in DataAction]: TemplateResult };
  exportForm: TemplateResult;
  /** Absent while nothing waits for its passphrase. */
  importForm: TemplateResult | undefined;
}

/** What can be done with all of the data, in words. */
export function dataRows(rows: DataRows): readonly ActionRow[] {
  const { persisted, buttons, exportForm, importForm } = rows;
  return [
    {
      action: 'keep',
      symbol: 'shield',
      title: persisted ? 'Kept' : 'Keep it',
      text: persisted
        ? 'The browser has promised not to delete it by itself.'
        : 'Ask the browser not to delete it when room is short.',
      ...(!persisted && { button: buttons.keep }),
    },
    {
      action: 'export',
      symbol: 'download',
      title: 'Export',
      text: 'Everything in one zip: notes as Markdown, files as they are.',
      button: buttons.export,
      form: exportForm,
    },
    {
      action: 'import',
      symbol: 'upload',
      title: 'Import',
      text: 'Bring an export back. What you have stays; what is newer wins.',
      button: buttons.import,
      ...(importForm && { form: importForm }),
    },
    {
      action: 'samples',
      symbol: 'edit',
      title: 'Sample notes',
      text: 'The notes of the first visit, those that are not there any more.',
      button: buttons.samples,
    },
    {
      action: 'delete',
      symbol: 'remove',
      title: 'Delete everything',
      text: 'All notes and files, in every tab of this browser.',
      button: buttons.delete,
    },
  ];
}

/** Asks whether everything is to be deleted. */
export function renderDeleteQuestion(
  amount: { notes: number; files: number } | undefined,
  task: Readonly<Task> | undefined,
  answers: readonly TemplateResult[],
): TemplateResult {
  return html`<section class="doom" aria-labelledby="question">
    <h3 id="question">Delete everything?</h3>
    <p>
      ${doomedIn(amount)} will be gone from this browser, in every tab. Nobody can bring them back,
      unless you have an export.
    </p>
    ${task ? html`<p role="status">${task.words}</p>` : nothing}
    <div class="answers">${answers}</div>
  </section>`;
}

function doomedIn({ notes, files } = { notes: 0, files: 0 }): string {
  return notes + files > 0 ? amountOf({ notes, files }) : 'All notes and files';
}

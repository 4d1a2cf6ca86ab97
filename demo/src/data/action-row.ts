import { html, nothing, type TemplateResult } from 'lit';
import type { DataAction, ActionRunner, Outcome, Task } from './action-runner.js';
import { icon } from '../shell/icons.js';
import { percentOf } from './sizes.js';

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

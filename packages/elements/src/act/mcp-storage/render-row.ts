import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { icon, warningIcon } from '../../base/look/icons.js';
import type { DataEstimate } from './data-storage.js';
import type { RowText } from './rows.js';
import type { Outcome, Question, RunningAction, StorageTask } from './storage-task.js';
import { amountInWords, problemInWords, roomInWords } from './words.js';

/** Renders the amount of data, or the reason why it is not known. */
export function renderAmount(estimate: DataEstimate | undefined, failure: unknown): TemplateResult {
  if (failure !== undefined)
    return html`<p class="amount problem" part="amount" role="alert">
      ${icon(warningIcon)} <bdi>${problemInWords(failure)}</bdi>
    </p>`;
  if (!estimate)
    return html`<p class="amount" part="amount" aria-busy="true">
      ${msg('Counting …', { id: 'mcp.storage.counting' })}
    </p>`;
  const { usedBytes, quotaBytes } = estimate;
  const room = roomInWords(estimate);
  return html`<div class="amount" part="amount">
    <p class="count"><bdi>${amountInWords(estimate)}</bdi></p>
    ${
      room
        ? html`<meter
              aria-label=${msg('Room taken', { id: 'mcp.storage.room-taken' })}
              aria-valuetext=${room}
              max=${quotaBytes!}
              .value=${usedBytes!}
            ></meter>
            <p class="words"><bdi>${room}</bdi></p>`
        : nothing
    }
  </div>`;
}

/**
 * One action, with its question, its progress and its result. Its button is not `disabled` while an action
 * runs: it would lose the focus.
 *
 * @param parts `run`: the action of its button. `form`: its fields.
 */
export function renderRow(
  row: RowText,
  { run, form }: { run: () => unknown; form: TemplateResult | undefined },
  task: StorageTask,
): TemplateResult {
  const { action, title, text, button } = row;
  const { running, question, outcome } = task;
  const isAsked = question?.action === action;
  const isRunning = running?.action === action;
  return html`<section class="row" part="row ${action}" aria-labelledby=${action}>
    <span class="symbol ${button ? '' : 'done'}">${icon(row.icon)}</span>
    <div class="heading">
      <h3 id=${action} tabindex="-1">${title}</h3>
      <p class="words">${text}</p>
    </div>
    <div class="action">
      ${
        button
          ? html`<button
              class=${action === 'clear' ? 'danger' : ''}
              data-action=${action}
              aria-disabled=${running !== undefined}
              @click=${() => (running ? undefined : run())}
            >
              ${button}
            </button>`
          : nothing
      }
    </div>
    ${isAsked ? renderQuestion(question, task) : form}
    ${isRunning && running.progress && !isAsked ? renderProgress(running, task) : nothing}
    <div class="outcome" role="status">
      ${isRunning && !running.progress ? html`<p class="running">${running.text}</p>` : nothing}
      ${outcome?.action === action ? renderOutcome(outcome) : nothing}
    </div>
  </section>`;
}

function renderQuestion({ action, text, yes, no }: Question, task: StorageTask): TemplateResult {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // A dialog around it must stay open.
    event.preventDefault();
    task.answer(false);
  };
  return html`<div
    class="form question"
    part="question"
    role="group"
    aria-labelledby="question"
    @keydown=${onKeyDown}
  >
    <p id="question" role="alert">${text()}</p>
    <div class="buttons">
      <button class=${action === 'clear' ? 'danger' : 'primary'} @click=${() => task.answer(true)}>
        ${yes()}
      </button>
      <button class="no" @click=${() => task.answer(false)}>${no()}</button>
    </div>
  </div>`;
}

function renderProgress({ text, progress }: RunningAction, task: StorageTask): TemplateResult {
  const { done, total } = progress!;
  return html`<div class="running" part="progress">
    <progress
      aria-label=${text}
      max=${total || nothing}
      value=${total > 0 ? done : nothing}
    ></progress>
    <button class="cancel" @click=${() => task.cancel()}>
      ${msg('Cancel', { id: 'mcp.drop.cancel' })}
    </button>
  </div>`;
}

function renderOutcome({ text, failed = false, lines = [] }: Outcome): TemplateResult {
  return html`<div class=${failed ? 'failed' : ''} role=${failed ? 'alert' : nothing} part="result">
    ${failed ? icon(warningIcon) : nothing}
    <bdi>${text}</bdi>
    ${
      lines.length > 0
        ? html`<ul>
            ${lines.map((line) => html`<li><bdi>${line}</bdi></li>`)}
          </ul>`
        : nothing
    }
  </div>`;
}

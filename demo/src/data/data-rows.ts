import type { StorageEstimate } from '@inpage-mcp/runtime';
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shell/icons.js';
import type { ActionRunner, DataAction, Outcome, Task } from './action-runner.js';
import { percentOf, reasonOf, sizeInWords } from './storage-words.js';

/** The parts of an action in sight, besides its title. */
export interface ActionRow {
  symbol: Parameters<typeof icon>[0];
  text: string;
  /** Absent if the action is done already. */
  button?: TemplateResult;
  /** The fields of the action. */
  form?: TemplateResult | undefined;
}

/** One action on all of the data, its progress and its result. */
export function renderRow(
  runner: ActionRunner,
  action: DataAction,
  title: string,
  { symbol, text, button, form }: ActionRow,
): TemplateResult {
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

/** How much room is taken, or why that is not known. */
export function renderAmount(
  estimate: StorageEstimate | undefined,
  failure: unknown,
): TemplateResult {
  if (failure !== undefined) {
    return html`<div class="amount">
      <p class="failure" role="alert">${reasonOf(failure)}</p>
    </div>`;
  }
  if (!estimate) return html`<div class="amount" aria-busy="true">Counting …</div>`;
  const { usedBytes, quotaBytes, meaning } = estimate;
  return html`<div class="amount">
    ${usedBytes === undefined || quotaBytes === undefined ? nothing : renderRoom(usedBytes, quotaBytes)}
    <p>${meaning}</p>
  </div>`;
}

function renderRoom(usedBytes: number, quotaBytes: number): TemplateResult {
  return html`<meter
    aria-label="Room taken"
    aria-valuetext=${`${sizeInWords(usedBytes)} of ${sizeInWords(quotaBytes)}`}
    max=${quotaBytes}
    .value=${usedBytes}
  ></meter>`;
}

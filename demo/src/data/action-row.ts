import type { StorageEstimate } from '@inpage-mcp/runtime';
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shell/icons.js';
import { reasonOf, sizeInWords } from './storage-words.js';

/** The actions on all of the data. */
export type Action = 'keep' | 'export' | 'import' | 'delete';

/** The action that runs; only one with a progress can be cancelled. */
export interface Task {
  action: Action;
  words: string;
  progress?: { done: number; total: number };
}

/** The result of the last action, with further lines for the user. */
export interface Outcome {
  action: Action;
  words: string;
  failed?: boolean;
  lines?: readonly string[];
}

/** The looks of an action besides its title. */
export interface ActionRow {
  symbol: Parameters<typeof icon>[0];
  text: string;
  /** The words of its button; absent if it is done already. */
  button: string | undefined;
  run: () => unknown;
  /** Its fields. */
  form?: TemplateResult | undefined;
}

/** How much room is taken, or why that is not known. */
export function renderAmount(
  estimate: StorageEstimate | undefined,
  failure: unknown,
): TemplateResult {
  if (failure !== undefined)
    return html`<p class="amount problem" role="alert">${reasonOf(failure)}</p>`;
  if (!estimate) return html`<p class="amount" aria-busy="true">Counting …</p>`;
  const { usedBytes, quotaBytes, meaning } = estimate;
  return html`<div class="amount">
    ${
      usedBytes === undefined || quotaBytes === undefined
        ? nothing
        : html`<meter
            aria-label="Room taken"
            aria-valuetext=${`${sizeInWords(usedBytes)} of ${sizeInWords(quotaBytes)}`}
            max=${quotaBytes}
            .value=${usedBytes}
          ></meter>`
    }
    <p>${meaning}</p>
  </div>`;
}

/**
 * One action, its progress and its result. Its button is not `disabled` while an action runs: it would
 * lose the focus.
 *
 * @param state `task`: what runs. `outcome`: what came of the last action. `cancel`: ends what runs.
 */
export function renderRow(
  action: Action,
  title: string,
  { symbol, text, button, run, form }: ActionRow,
  state: { task: Task | undefined; outcome: Outcome | undefined; cancel: () => void },
): TemplateResult {
  const { task, outcome, cancel } = state;
  return html`<section class="row" aria-label=${title}>
    ${button ? icon(symbol) : icon('check', 'good')}
    <div class="heading">
      <h3>${title}</h3>
      <p class="words muted">${text}</p>
    </div>
    <div class="action">
      ${
        button
          ? html`<button
              class=${action === 'delete' ? 'danger' : ''}
              data-action=${action}
              aria-disabled=${task !== undefined}
              @click=${() => (task ? undefined : run())}
            >
              ${button}
            </button>`
          : nothing
      }
    </div>
    ${form ? html`<div class="form">${form}</div>` : nothing}
    ${task?.action === action ? renderTask(task, cancel) : nothing}
    <div class="outcome" role="status">
      ${outcome?.action === action ? renderOutcome(outcome) : nothing}
    </div>
  </section>`;
}

function renderTask({ words, progress }: Task, cancel: () => void): TemplateResult {
  if (!progress) return html`<div class="task">${words}</div>`;
  const { done, total } = progress;
  return html`<div class="task">
    <progress
      aria-label=${words}
      max=${total || nothing}
      value=${total > 0 ? done : nothing}
    ></progress>
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

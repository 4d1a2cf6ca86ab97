import { html, nothing, type TemplateResult } from 'lit';
import type { Task } from '../action-runner.js';
import { amountOf } from '../storage-words.js';

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

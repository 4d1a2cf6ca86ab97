import { html, nothing, type TemplateResult } from 'lit';
import type { Deed, Deeds, Outcome, Task } from './deeds.js';
import { icon } from './icons.js';
import { percentOf } from './sizes.js';

/** What can be done, in words. */
export interface DeedRow {
  deed: Deed;
  symbol: Parameters<typeof icon>[0];
  title: string;
  text: string;
  /** What does it; absent where it is done already. */
  button?: TemplateResult;
  /** Fields that belong to it. */
  form?: TemplateResult;
}

/** One thing that can be done with all of the data: how far it is, and what became of it. */
export function renderDeedRow(deeds: Deeds, row: DeedRow): TemplateResult {
  const { deed, symbol, title, text, button, form } = row;
  const { task, outcome } = deeds;
  return html`<section class="row" aria-label=${title}>
    ${button ? icon(symbol) : icon('check', 'good')}
    <div class="heading">
      <h3>${title}</h3>
      <p class="words muted">${text}</p>
    </div>
    <div class="action">${button ?? nothing}</div>
    ${form ? html`<div class="form">${form}</div>` : nothing}
    ${task?.deed === deed ? renderTask(task, () => deeds.cancel()) : nothing}
    <div class="told" role="status">
      ${outcome?.deed === deed ? renderOutcome(outcome) : nothing}
    </div>
  </section>`;
}

/** Not `disabled` while something is under way: it would lose the focus. */
export function renderDeedButton(
  deeds: Deeds,
  button: { deed: Deed; words: string; run: () => unknown; className?: string },
): TemplateResult {
  const { deed, words, run, className = '' } = button;
  const click = (): void => {
    if (!deeds.task) run();
  };
  return html`<button
    class=${className}
    data-deed=${deed}
    aria-disabled=${deeds.task ? 'true' : 'false'}
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

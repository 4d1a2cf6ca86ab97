import { msg, str } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { icon, warningIcon } from '../look/icons.js';
import type { LongText } from '../look/long-text.js';
import { effectsOf } from './tool-words.js';
import type { UsableTool } from './usable-tool.js';

/** What the user can do with a question. */
export interface QuestionActions {
  /** Whether a yes counts: the question is there long enough. */
  readonly mayConfirm: boolean;
  onkeydown(event: KeyboardEvent): void;
  confirm(): void;
  back(): void;
  update(): void;
}

/** The second step of a call that may overwrite or delete: the exact values, and yes or no. */
export function renderConfirmation(
  tool: UsableTool,
  values: LongText,
  actions: QuestionActions,
): TemplateResult {
  const { title } = tool;
  const [effect] = effectsOf(tool.annotations);
  const keydown = (event: KeyboardEvent): void => {
    actions.onkeydown(event);
    if (event.key === 'Escape') actions.back();
  };
  return html`<section
    class="confirmation"
    part="confirmation"
    aria-labelledby="question"
    @keydown=${keydown}
  >
    <h3 id="question" part="heading" tabindex="-1">
      ${icon(warningIcon)}
      <span>${msg(str`Call “${title}” with these values?`, { id: 'mcp.tool-form.question' })}</span>
    </h3>
    <p>${effect}</p>
    <div
      class="values"
      part="arguments"
      dir="ltr"
      role="group"
      tabindex="0"
      aria-label=${msg('Values', { id: 'mcp.tool-form.values' })}
    >
      ${values.render()}
    </div>
    ${values.renderMore(() => actions.update())}
    <div class="buttons">
      <button
        type="button"
        class="danger confirm"
        aria-disabled=${!actions.mayConfirm}
        @click=${() => actions.mayConfirm && actions.confirm()}
      >
        ${msg(str`Yes, call “${title}”`, { id: 'mcp.tool-form.confirm' })}
      </button>
      <button type="button" class="back" @click=${() => actions.back()}>
        ${msg('Back', { id: 'mcp.tool-form.back' })}
      </button>
    </div>
  </section>`;
}

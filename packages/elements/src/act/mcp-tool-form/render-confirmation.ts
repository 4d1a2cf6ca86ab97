import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { icon, warningIcon } from '../../base/look/icons.js';
import type { LongText } from '../../base/look/long-text.js';
import { effectsOf, type UsableTool } from './tool.js';

/** What the user can do with a question. */
export interface QuestionActions {
  /** Whether a yes may count: the question is there long enough. */
  readonly isReady: boolean;
  /** Whether the user has had all of the values in sight. */
  readonly isRead: boolean;
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
  const label = msg('Values', { id: 'mcp.tool-form.values' });
  const mayConfirm = actions.isReady && actions.isRead;
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
    ${values.renderToRead('arguments', label, () => actions.update())}
    ${
      actions.isRead
        ? nothing
        : html`<p class="facts" id="unread">
            ${msg('Show the whole text before you agree.', { id: 'mcp.consent.not-whole' })}
          </p>`
    }
    <div class="buttons">
      <button
        type="button"
        class="danger confirm"
        aria-disabled=${!mayConfirm}
        aria-describedby=${actions.isRead ? nothing : 'unread'}
        @click=${() => mayConfirm && actions.confirm()}
      >
        ${msg(str`Yes, call “${title}”`, { id: 'mcp.tool-form.confirm' })}
      </button>
      <button type="button" class="back" @click=${() => actions.back()}>
        ${msg('Back', { id: 'mcp.tool-form.back' })}
      </button>
    </div>
  </section>`;
}

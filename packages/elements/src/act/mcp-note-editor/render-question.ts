import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatError } from '../../base/text/format.js';
import type { NoteDraft } from './note-draft.js';

/** What the user may decide about a draft. */
export interface Decisions {
  /** Whether anything can be saved now. */
  canSave: boolean;
  keepBoth: () => void;
  saveAsNew: () => void;
}

/** What only the user can decide: after a conflict, a deletion or a failure. */
export function renderQuestion(
  draft: NoteDraft,
  decisions: Decisions,
): TemplateResult | typeof nothing {
  const words = questionOf(draft);
  if (words === undefined) return nothing;
  return html`<div class="question" part="question" role="alert">
    <span>
      ${words} ${draft.error === undefined ? nothing : html`<bdi>${formatError(draft.error)}</bdi>`}
    </span>
    ${renderAnswers(draft, decisions)}
  </div>`;
}

function questionOf({ state }: NoteDraft): string | undefined {
  switch (state) {
    case 'conflict':
      return msg('Somebody else changed this note while you were typing.', {
        id: 'mcp.editor.conflict',
      });
    case 'deleted':
      return msg('This note was deleted while you were typing. Your words are only here.', {
        id: 'mcp.editor.deleted',
      });
    case 'failed':
      return msg('Your words could not be saved.', { id: 'mcp.editor.failed' });
    default:
      return undefined;
  }
}

function renderAnswers(draft: NoteDraft, { canSave, keepBoth, saveAsNew }: Decisions): unknown {
  switch (draft.state) {
    case 'conflict':
      return html`<button ?disabled=${!canSave} @click=${keepBoth}>
          ${msg('Keep both', { id: 'mcp.editor.keep-both' })}
        </button>
        <button ?disabled=${!canSave} @click=${() => void draft.keepMine()}>
          ${msg('Keep mine', { id: 'mcp.editor.keep-mine' })}
        </button>
        <button @click=${() => draft.takeTheirs()}>
          ${msg('Take theirs', { id: 'mcp.editor.take-theirs' })}
        </button>`;
    case 'deleted':
      return html`<button ?disabled=${!canSave} @click=${saveAsNew}>
        ${msg('Save as a new note', { id: 'mcp.editor.save-new' })}
      </button>`;
    default:
      return html`<button ?disabled=${!canSave} @click=${() => void draft.save()}>
        ${msg('Try again', { id: 'mcp.retry' })}
      </button>`;
  }
}

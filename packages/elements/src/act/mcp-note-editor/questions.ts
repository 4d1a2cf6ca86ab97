import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatError } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { visibleText } from '../../base/text/visible-text.js';
import type { NoteDraft } from './note-draft.js';
import type { NoteWords } from './note-storage.js';

/** The maximum length of a note's title, in UTF-16 code units. */
export const MAX_TITLE_LENGTH = 1_000;

/** The maximum length of another author's version that is shown with marks, in UTF-16 code units. */
const MAX_MARKED_LENGTH = 65_536;

/** The maximum number of lines of a version that is shown with marks: each line is an element. */
const MAX_MARKED_LINES = 2_000;

/** The user's decisions about a draft. */
export interface Decisions {
  /** Whether anything can be saved now. */
  canSave: boolean;
  /** Whether unsaved changes come back when the page starts again. */
  isKept: boolean;
  saveAsNew: () => void;
  discard: () => void;
}

/** Renders the question that only the user can answer: after a conflict, a deletion or a failure. */
export function renderQuestion(
  draft: NoteDraft,
  { canSave, isKept, saveAsNew, discard }: Decisions,
): TemplateResult | typeof nothing {
  const key = (label: string, onclick: () => unknown, isDisabled = !canSave): TemplateResult =>
    html`<button ?disabled=${isDisabled} @click=${() => void onclick()}>${label}</button>`;
  switch (draft.state) {
    case 'conflict':
      return frame(
        draft,
        msg('Somebody else changed this note while you were typing.', {
          id: 'mcp.editor.conflict',
        }),
        html`${key(msg('Keep both', { id: 'mcp.drop.keep-both' }), () => draft.keepBoth(copyTitle))}
        ${key(msg('Keep mine', { id: 'mcp.editor.keep-mine' }), () => draft.keepMine())}
        ${key(msg('Take theirs', { id: 'mcp.editor.take-theirs' }), () => draft.takeTheirs(), false)}`,
      );
    case 'deleted':
      return frame(
        draft,
        msg('This note was deleted while you were typing. Your text is only here.', {
          id: 'mcp.editor.deleted',
        }),
        html`${key(msg('Save as a new note', { id: 'mcp.editor.save-new' }), saveAsNew)}
        ${key(msg('Discard', { id: 'mcp.editor.discard' }), discard, false)}`,
      );
    default:
      // The message stays until the changes are saved, also during another attempt.
      if (draft.error === undefined || !draft.hasUnsavedWords) return nothing;
      return frame(
        draft,
        isKept
          ? msg('Your text could not be saved. This browser keeps it until it is.', {
              id: 'mcp.editor.kept',
            })
          : msg('Your text could not be saved.', { id: 'mcp.editor.failed' }),
        key(msg('Try again', { id: 'mcp.retry' }), () => draft.save()),
      );
  }
}

function frame({ error }: NoteDraft, words: string, keys: TemplateResult): TemplateResult {
  return html`<div class="question" part="question" role="alert">
    <span>
      ${words} ${error === undefined ? nothing : html`<bdi>${formatError(error)}</bdi>`}
    </span>
    ${keys}
  </div>`;
}

/**
 * Renders the version of another author, next to that of the user, with the codes of invisible characters.
 * Lines that only the other version has are marked.
 */
export function renderTheirs(theirs: NoteWords, mine: NoteWords): TemplateResult {
  const label = msg('Their version', { id: 'mcp.editor.theirs' });
  const lines = theirs.text.length > MAX_MARKED_LENGTH ? [] : theirs.text.split('\n');
  const isMarked = lines.length > 0 && lines.length <= MAX_MARKED_LINES;
  const own = new Set(isMarked ? mine.text.split('\n') : []);
  // The codes are inserted in the whole text, because a line end may have two characters.
  const text = visibleText(theirs.text);
  const shown = isMarked ? text.split('\n') : [];
  return html`<section class="version" part="theirs" aria-label=${label}>
    <h3>
      ${label}${theirs.title === mine.title ? '' : `: ${truncateText(theirs.title, MAX_TITLE_LENGTH)}`}
    </h3>
    ${
      isMarked
        ? html`<pre tabindex="0">
${shown.map((line, at) => html`<span class=${own.has(lines[at]!) ? '' : 'other'}>${line}</span>`)}</pre>`
        : html`<textarea readonly dir="auto" aria-label=${label} .value=${text}></textarea>`
    }
  </section>`;
}

/** The title of a version that becomes a note of its own. It is never longer than a title may be. */
export function copyTitle(title: string): string {
  const copy = titleOf(title);
  const excess = copy.length - MAX_TITLE_LENGTH;
  // A server may have longer titles.
  if (excess <= 0 || title.length > MAX_TITLE_LENGTH) return copy;
  return titleOf(title.slice(0, -excess).replace(/[\ud800-\udbff]$/, ''));
}

const titleOf = (title: string): string =>
  msg(str`${title} (my version)`, { id: 'mcp.editor.my-version' });

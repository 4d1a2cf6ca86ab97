import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import type { NoteWords } from './note-storage.js';

/** Longer versions are shown without marks, in UTF-16 code units. */
const MAX_MARKED_LENGTH = 65_536;

/** Versions of more lines are shown without marks: each line is an element. */
const MAX_MARKED_LINES = 2_000;

/** The version of somebody else, beside that of the user; lines that only they have are marked. */
export function renderTheirs(theirs: NoteWords, mine: NoteWords): TemplateResult {
  const label = msg('Their version', { id: 'mcp.editor.theirs' });
  const lines = theirs.text.length > MAX_MARKED_LENGTH ? [] : theirs.text.split('\n');
  const isMarked = lines.length > 0 && lines.length <= MAX_MARKED_LINES;
  return html`<section class="version" part="theirs" aria-label=${label}>
    <h3>${label}${theirs.title === mine.title ? '' : `: ${theirs.title}`}</h3>
    ${
      isMarked
        ? html`<pre tabindex="0">${renderLines(lines, mine.text)}</pre>`
        : html`<textarea readonly dir="auto" aria-label=${label} .value=${theirs.text}></textarea>`
    }
  </section>`;
}

function renderLines(theirs: readonly string[], mine: string): TemplateResult[] {
  const own = new Set(mine.split('\n'));
  return theirs.map((line) => html`<span class=${own.has(line) ? '' : 'other'}>${line}</span>`);
}

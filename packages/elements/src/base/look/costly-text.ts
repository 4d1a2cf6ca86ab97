import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { endWithinCost } from '../text/layout-cost.js';

/** The length below which a text is never slow to show, in UTF-16 code units. */
const MIN_LENGTH = 20_000;

/**
 * The limits of a text that a field shows fast, because a field lays out all lines at once, and each line as
 * a whole.
 */
const MAX_LINES = 20_000;
const MAX_LINE_LENGTH = 20_000;

/**
 * Whether a text field may take long to show a text, for example because of very long lines, very many lines,
 * or many changes of script.
 */
export function isCostlyToEdit(text: string): boolean {
  if (text.length < MIN_LENGTH) return false;
  let lines = 0;
  for (let start = 0; start <= text.length; lines += 1) {
    const end = text.indexOf('\n', start);
    const next = end < 0 ? text.length + 1 : end + 1;
    if (next - start > MAX_LINE_LENGTH || lines > MAX_LINES) return true;
    start = next;
  }
  return endWithinCost(text, 0, 2 * text.length) < text.length;
}

/** The letters of the scripts that are written from right to left. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The value of `dir` for a field with this text: `auto`, unless that would be slow. Browsers check the whole
 * line for it at each key, so that a field is about 20 times as slow with a line of 1 MB. In this case the
 * first letter decides for all lines.
 */
export function directionToEdit(text: string): 'auto' | 'ltr' | 'rtl' {
  if (!isCostlyToEdit(text)) return 'auto';
  const letter = /\p{L}/u.exec(text.slice(0, MIN_LENGTH))?.[0] ?? '';
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}

/**
 * Renders the question whether to show a text in a field. The browser lays out the whole text at once, so the
 * user decides whether to wait for it.
 */
export function renderCostly(open: () => void): TemplateResult {
  return html`<div class="message">
    <span>
      ${msg('This text takes long to show in a text field. Until it is shown, the page may not react.', { id: 'mcp.editor.costly' })}
    </span>
    <button type="button" @click=${open}>
      ${msg('Edit anyway', { id: 'mcp.editor.edit-anyway' })}
    </button>
  </div>`;
}

import { html, type TemplateResult } from 'lit';
import { isolatedNames } from '../../base/text/isolate.js';

/**
 * A sentence on one line. A name in it is a part of its own: in a sentence that runs the other way, a
 * name that is too long would else lose its beginning.
 */
export function renderSentence(sentence: string): TemplateResult {
  const parts = isolatedNames(sentence).map(({ text, isName }) =>
    isName
      ? html`<bdi class="one-line">${text}</bdi>`
      : html`<span class="one-line">${text}</span>`,
  );
  return html`<span class="sentence" title=${sentence}><span dir="auto">${parts}</span></span>`;
}

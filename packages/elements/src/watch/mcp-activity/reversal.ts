import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import type { Action } from './actions.js';
import { type AskedOfPage, McpRevertEvent } from './asked-of-page.js';

/**
 * Renders the button that undoes the changes of an action, or the message that they were undone.
 *
 * @param sentence The action as a sentence.
 * @param onend Called once all of it, or a part of it, was undone.
 */
export function renderReversal(
  { changes }: Action,
  sentence: string,
  asked: AskedOfPage,
  onend: () => void,
): TemplateResult | typeof nothing {
  const possible = changes.filter(({ revert }) => revert === 'possible');
  const numbers = possible.map(({ number }) => number);
  const key = `revert ${numbers.join(' ')}`;
  const state = asked.stateOf(key);
  if (changes.length > 0 && (state === 'done' || changes.every(({ revert }) => revert === 'done')))
    return html`<span class="revoked">${msg('Undone', { id: 'mcp.activity.reverted' })}</span>`;
  if (numbers.length === 0) return nothing;
  const text = msg('Undo', { id: 'mcp.activity.revert' });
  const ask = async (): Promise<void> => {
    const done = msg(str`Undone: ${sentence}`, { id: 'mcp.activity.reverted-of' });
    const ignored = msg('The page has not undone it.', { id: 'mcp.activity.not-reverted' });
    await asked.ask(key, new McpRevertEvent(numbers), { done, ignored });
    onend();
  };
  return html`<button
    class="revert"
    ?disabled=${state === 'pending'}
    aria-label=${`${text}: ${sentence}`}
    @click=${() => void ask()}
  >
    ${text}
  </button>`;
}

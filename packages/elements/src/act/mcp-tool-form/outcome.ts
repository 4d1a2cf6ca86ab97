import type { CallToolResult } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { checkIcon, icon, warningIcon } from '../../base/look/icons.js';
import { renderError } from '../../base/look/messages.js';
import type { BlockActions } from '../../show/blocks/content-blocks.js';
import { ShownResult } from './shown-result.js';

/** How a call has ended. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: ShownResult }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'cancelled' };

/** The outcome of an answer. */
export function resultOutcome(result: CallToolResult, actions: BlockActions): Outcome {
  return { kind: 'result', result: new ShownResult(result, actions) };
}

/** To be called when an outcome is no longer shown. */
export function disposeOutcome(outcome: Outcome): void {
  if (outcome.kind === 'result') outcome.result.dispose();
}

/** The end of a call in one sentence. */
export function outcomeTitle(outcome: Outcome): string {
  if (outcome.kind === 'cancelled')
    return msg('You have cancelled the call.', { id: 'mcp.tool-form.cancelled' });
  if (outcome.kind === 'error') return msg('The call has failed.', { id: 'mcp.tool-form.failed' });
  return outcome.result.isError
    ? msg('The tool reports an error.', { id: 'mcp.tool-form.tool-error' })
    : msg('The tool has answered.', { id: 'mcp.tool-form.answered' });
}

/** What is left of a call that has ended. */
export function renderOutcome(outcome: Outcome, mayHaveChanged: boolean): TemplateResult {
  const isGood = outcome.kind === 'result' && !outcome.result.isError;
  const isBad = !isGood && outcome.kind !== 'cancelled';
  return html`<section class="outcome" part="result" aria-labelledby="outcome">
    <h3 id="outcome" part="heading" class=${isBad ? 'bad' : isGood ? 'good' : ''} tabindex="-1">
      ${icon(isGood ? checkIcon : warningIcon)} ${outcomeTitle(outcome)}
    </h3>
    ${renderDetails(outcome, mayHaveChanged)}
  </section>`;
}

function renderDetails(outcome: Outcome, mayHaveChanged: boolean): unknown {
  if (outcome.kind === 'result') return outcome.result.render();
  const isUncertain = outcome.kind === 'cancelled' || isLost(outcome.error);
  const remark = msg('The tool may have run nevertheless, and may have made changes.', {
    id: 'mcp.tool-form.uncertain',
  });
  return html`${outcome.kind === 'error' ? renderError(outcome.error) : nothing}
  ${isUncertain && mayHaveChanged ? html`<p class="facts">${remark}</p>` : nothing}`;
}

/** Whether no answer has come, although the request may have arrived. */
function isLost(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'timeout' || code === 'connection-lost' || code === 'closed';
}

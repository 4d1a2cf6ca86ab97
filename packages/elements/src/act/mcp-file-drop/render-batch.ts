import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { closeIcon, icon } from '../../base/look/icons.js';
import { formatError, formatNumber, formatSize } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { UploadBatch } from './upload-batch.js';

/** The maximum number of paths of a batch that are shown. */
const MAX_PATHS = 100;

/** The maximum number of failures that are shown at once; more are shown after a click. */
const MAX_OPEN = 3;

/** The actions of the user on a batch that has ended. */
export interface BatchActions {
  /** Saves the failed files again; absent if that cannot succeed. */
  retry: (() => void) | undefined;
  /** Removes the line. */
  dismiss: () => void;
}

/** The outcome of a batch, as a text. */
export function resultOf(batch: UploadBatch): string {
  const parts = [
    batch.saved.length === 1 && batch.total === 1
      ? msg(str`Saved: ${truncateText(batch.saved[0]!)}`, { id: 'mcp.drop.saved-one' })
      : msg(str`Files saved: ${formatNumber(batch.saved.length)}`, { id: 'mcp.drop.saved' }),
    batch.skipped.length > 0 &&
      msg(str`skipped: ${formatNumber(batch.skipped.length)}`, { id: 'mcp.drop.skipped' }),
    batch.failed.length > 0 &&
      msg(str`failed: ${formatNumber(batch.failed.length)}`, { id: 'mcp.drop.failed' }),
    batch.state === 'cancelled' &&
      msg(str`cancelled: ${formatNumber(batch.total - batch.done)}`, { id: 'mcp.drop.cancelled' }),
  ];
  return parts.filter(Boolean).join(' · ');
}

/**
 * The line of a batch.
 *
 * @param actions The actions of the user on a batch that has ended.
 */
export function renderBatch(batch: UploadBatch, actions: BatchActions): TemplateResult {
  if (batch.isOver) return renderFinished(batch, actions);
  const cancel = msg('Cancel', { id: 'mcp.drop.cancel' });
  const { current } = batch;
  const label = msg('Saving files', { id: 'mcp.drop.saving' });
  return html`<li class="batch" part="batch">
    ${
      batch.state === 'asking'
        ? renderQuestion(batch)
        : html`<span class="saving">
              <span class="one-line"
                >${msg(str`Saving ${formatNumber(batch.done)} of ${formatNumber(batch.total)}`, { id: 'mcp.drop.progress' })}
                · ${formatSize(batch.totalBytes)}</span
              >
              ${current === undefined ? nothing : html`·<bdi class="one-line">${truncateText(current, 100)}</bdi>`}
            </span>
            <button @click=${() => batch.cancel()}>${cancel}</button>
            <progress
              part="progress"
              max="1"
              .value=${batch.progress}
              aria-label=${label}
            ></progress>`
    }
  </li>`;
}

function renderQuestion(batch: UploadBatch): TemplateResult {
  const { conflicts } = batch;
  return html`<div class="asking" role="alert">
    <span>
      ${msg(str`Files that exist already: ${formatNumber(conflicts.length)}`, { id: 'mcp.drop.conflict' })}
    </span>
    ${renderPaths(conflicts.map(({ path }) => html`<bdi>${truncateText(path)}</bdi>`))}
    <span class="actions">
      <button class="primary" @click=${() => batch.choose('keep-both')}>
        ${msg('Keep both', { id: 'mcp.drop.keep-both' })}
      </button>
      <button @click=${() => batch.choose('replace')}>
        ${msg('Replace', { id: 'mcp.drop.replace' })}
      </button>
      <button @click=${() => batch.choose('skip')}>${msg('Skip', { id: 'mcp.drop.skip' })}</button>
      <button @click=${() => batch.cancel()}>${msg('Cancel', { id: 'mcp.drop.cancel' })}</button>
    </span>
  </div>`;
}

function renderFinished(batch: UploadBatch, actions: BatchActions): TemplateResult {
  const dismiss = msg('Dismiss', { id: 'mcp.drop.dismiss' });
  return html`<li class="batch" part="batch">
    <span class=${batch.failed.length > 0 ? 'failed' : ''}>${resultOf(batch)}</span>
    <span class="actions">
      ${
        batch.failed.length > 0 && actions.retry
          ? html`<button @click=${actions.retry}>${msg('Try again', { id: 'mcp.retry' })}</button>`
          : nothing
      }
      <button class="quiet" aria-label=${dismiss} title=${dismiss} @click=${actions.dismiss}>
        ${icon(closeIcon)}
      </button>
    </span>
    ${
      batch.failed.length > 0
        ? html`<details class="details" ?open=${batch.failed.length <= MAX_OPEN}>
            <summary>${msg('Details', { id: 'mcp.details' })}</summary>
            ${renderPaths(
              batch.failed.map(
                ({ path, error }) =>
                  html`<bdi>${truncateText(path)}</bdi>: <bdi>${formatError(error)}</bdi>`,
              ),
            )}
          </details>`
        : nothing
    }
  </li>`;
}

function renderPaths(paths: readonly TemplateResult[]): TemplateResult {
  const rest = paths.length - MAX_PATHS;
  return html`<ul class="paths" tabindex="0">
    ${paths.slice(0, MAX_PATHS).map((path) => html`<li>${path}</li>`)}
    ${
      rest > 0
        ? html`<li>${msg(str`Not shown: ${formatNumber(rest)}`, { id: 'mcp.drop.not-shown' })}</li>`
        : nothing
    }
  </ul>`;
}

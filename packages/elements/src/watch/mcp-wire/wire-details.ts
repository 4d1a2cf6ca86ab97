import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { closeIcon, copyIcon, icon, refreshIcon } from '../../base/look/icons.js';
import { formatDuration } from '../../base/text/duration.js';
import { formatSize } from '../../base/text/format.js';
import { languageTag } from '../../base/text/language.js';
import { JsonView } from './json-view.js';
import { nameOfEntry, outcomeOf, reasonOf, subjectOf } from './summary.js';
import type { WireEntry } from './wire-entry.js';

/** What the user may do with the line in the details. */
export interface DetailActions {
  close(): void;
  copy(message: unknown): void;
  /** Absent if the request cannot be sent again. */
  replay: (() => void) | undefined;
  /** Whether the user is asked first. */
  isConfirming: boolean;
  /** Forgets the question. */
  cancel(): void;
  /** Shows more of a message. */
  update(): void;
}

/** Everything about one line: both messages as JSON, which is only shown. */
export class WireDetails {
  readonly #views = new Map<'message' | 'answer', JsonView>();

  render(entry: WireEntry, sizeBytes: number, actions: DetailActions): TemplateResult {
    const title = `${nameOfEntry(entry)} ${subjectOf(entry)}`;
    const label = msg('Details of the message', { id: 'mcp.wire.details' });
    return html`<section
      class="details"
      part="details"
      aria-label=${label}
      @keydown=${closeOnEscape(actions)}
    >
      <header>
        <h3 class="one-line" title=${title}>${title}</h3>
        <button
          class="quiet"
          aria-label=${closeText()}
          title=${closeText()}
          @click=${actions.close}
        >
          ${icon(closeIcon)}
        </button>
      </header>
      <p class="facts">${factsOf(entry, sizeBytes)}</p>
      ${reasonOf(entry) ? html`<p class="reason">${reasonOf(entry)}</p>` : nothing}
      ${actions.replay ? renderReplay(actions, actions.replay) : nothing}
      ${this.#renderMessage(entry, 'message', actions)}
      ${this.#renderMessage(entry, 'answer', actions)}
    </section>`;
  }

  #renderMessage(
    entry: WireEntry,
    which: 'message' | 'answer',
    actions: DetailActions,
  ): TemplateResult | typeof nothing {
    const message = entry[which];
    if (message === undefined) return nothing;
    const view = this.#viewOf(which, message);
    const name = nameOfMessage(entry, which);
    const copy = msg(str`Copy: ${name}`, { id: 'mcp.wire.copy' });
    return html`<div class="message-header">
        <h4>${name}</h4>
        <button
          class="quiet"
          aria-label=${copy}
          title=${copy}
          @click=${() => actions.copy(message)}
        >
          ${icon(copyIcon)}
        </button>
      </div>
      ${view.render(name)} ${renderRest(view, actions)}`;
  }

  #viewOf(which: 'message' | 'answer', message: unknown): JsonView {
    const known = this.#views.get(which);
    if (known && known.message === message) return known;
    const view = new JsonView(message);
    this.#views.set(which, view);
    return view;
  }
}

const closeText = (): string => msg('Close the details', { id: 'mcp.wire.close' });

const closeOnEscape =
  ({ close }: DetailActions) =>
  (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
  };

function nameOfMessage({ kind }: WireEntry, which: 'message' | 'answer'): string {
  if (which === 'answer') return msg('Answer', { id: 'mcp.wire.answer' });
  if (kind === 'request') return msg('Request', { id: 'mcp.wire.request' });
  if (kind === 'notification') return msg('Notification', { id: 'mcp.wire.notification' });
  return msg('Message', { id: 'mcp.wire.message' });
}

/** The time, the direction, the outcome, the duration and the size, as far as they are known. */
function factsOf(entry: WireEntry, sizeBytes: number): string {
  const { timeMs, durationMs, state, message } = entry;
  const time = new Date(timeMs).toLocaleTimeString(languageTag(), {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });
  return [
    time,
    directionOf(entry),
    outcomeOf(entry),
    durationMs === undefined || state === 'lost' ? '' : formatDuration(durationMs),
    message === undefined ? '' : formatSize(sizeBytes),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Whether the message was sent or received. */
export function directionOf({ direction, kind }: WireEntry): string {
  if (kind === 'opened' || kind === 'closed' || kind === 'problem') return '';
  return direction === 'sent'
    ? msg('sent', { id: 'mcp.wire.sent' })
    : msg('received', { id: 'mcp.wire.received' });
}

function renderReplay(
  { isConfirming, cancel }: DetailActions,
  onreplay: () => void,
): TemplateResult {
  const again = msg('Send again', { id: 'mcp.wire.replay' });
  if (!isConfirming)
    return html`<div class="replay">
      <button @click=${onreplay}>${icon(refreshIcon)} ${again}</button>
    </div>`;
  return html`<div class="replay" role="group" aria-labelledby="replay-question">
    <span id="replay-question">
      ${msg('The tool may change data a second time. Send the request again?', { id: 'mcp.wire.replay-question' })}
    </span>
    <button class="primary" @click=${onreplay}>${again}</button>
    <button @click=${cancel}>${msg('Cancel', { id: 'mcp.wire.replay-cancel' })}</button>
  </div>`;
}

function renderRest(view: JsonView, { update }: DetailActions): TemplateResult | typeof nothing {
  if (view.isTooLong)
    return html`<p class="rest">
      ${msg('The rest is too long to be shown. Copy the message, or save all messages.', { id: 'mcp.wire.too-long' })}
    </p>`;
  if (!view.hasMore) return nothing;
  const showMore = (): void => {
    view.showMore();
    update();
  };
  return html`<p class="rest">
    <button @click=${showMore}>${msg('Show more', { id: 'mcp.wire.more' })}</button>
  </p>`;
}

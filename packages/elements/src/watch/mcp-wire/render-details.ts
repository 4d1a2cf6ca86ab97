import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { closeIcon, copyIcon, iconButton } from '../../base/look/icons.js';
import { formatDuration } from '../../base/text/duration.js';
import { formatSize } from '../../base/text/format.js';
import { writeJson } from '../../base/text/json-text.js';
import { languageTag } from '../../base/text/language.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { escapeInvisible } from '../../base/text/visible-text.js';
import { directionOf, nameOfEntry, outcomeOf, subjectOf } from './render-row.js';
import { errorOf, type WireEntry } from './wire-entry.js';

/** The number of characters of a message that are shown at first, and the maximum number. */
const FIRST_LENGTH = 8_192;
const MAX_LENGTH = 32_768;

/** The actions of the user on the line in the details. */
interface DetailActions {
  close(): void;
  copy(message: unknown): void;
  /** Shows more of both messages. */
  showMore(): void;
}

/** Renders everything about one line: its messages as JSON, which is only shown. */
export function renderDetails(
  entry: WireEntry,
  notifications: readonly WireEntry[],
  sizeBytes: number,
  isLong: boolean,
  actions: DetailActions,
): TemplateResult {
  const { message, answer } = entry;
  const title = `${nameOfEntry(entry)} ${subjectOf(entry)}`;
  const reason = reasonOf(entry);
  const show = (name: string, value: unknown): unknown =>
    value === undefined ? nothing : renderMessage(name, value, isLong, actions);
  return html`<section
    class="details"
    part="details"
    aria-label=${msg('Details of the message', { id: 'mcp.wire.details' })}
  >
    <header>
      <h3 class="one-line" title=${title}>${title}</h3>
      ${iconButton(msg('Close the details', { id: 'mcp.wire.close' }), closeIcon, actions.close)}
    </header>
    <p class="facts">${factsOf(entry, sizeBytes)}</p>
    ${reason ? html`<p class="reason">${reason}</p>` : nothing}
    ${show(nameOfMessage(entry), message)}
    ${notifications.map((one) => show(nameOfEntry(one), one.message))}
    ${show(msg('Answer', { id: 'mcp.wire.answer' }), answer)}
  </section>`;
}

/** The reason of a failure, as its sender states it. */
function reasonOf(entry: WireEntry): string {
  const { message } = errorOf(entry) ?? {};
  return typeof message === 'string' ? escapeInvisible(truncateText(message, 500)) : '';
}

/** The known facts: the time, the direction, the outcome, the duration and the size. */
function factsOf(entry: WireEntry, sizeBytes: number): string {
  const { timeMs, durationMs, state, message } = entry;
  const time = new Date(timeMs).toLocaleTimeString(languageTag(), {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });
  const duration = durationMs === undefined || state === 'lost' ? '' : formatDuration(durationMs);
  const size = message === undefined ? '' : formatSize(sizeBytes);
  return [time, directionOf(entry), outcomeOf(entry), duration, size].filter(Boolean).join(' · ');
}

function nameOfMessage({ kind }: WireEntry): string {
  if (kind === 'request') return msg('Request', { id: 'mcp.wire.request' });
  if (kind === 'notification') return msg('Notification', { id: 'mcp.wire.notification' });
  return msg('Message', { id: 'mcp.wire.message' });
}

function renderMessage(
  name: string,
  message: unknown,
  isLong: boolean,
  { copy, showMore }: DetailActions,
): TemplateResult {
  const copyText = msg(str`Copy: ${name}`, { id: 'mcp.wire.copy' });
  return html`<header>
      <h4>${name}</h4>
      ${iconButton(copyText, copyIcon, () => copy(message))}
    </header>
    ${guard([message, isLong, copyText], () => {
      const { text, isWhole } = writeJson(message, isLong ? MAX_LENGTH : FIRST_LENGTH);
      return html`${renderJson(name, isWhole ? text : `${text}…`)}
      ${isWhole ? nothing : renderRest(isLong, showMore)}`;
    })}`;
}

/** The name of a field at the start of a line. */
const KEY = /^( *"(?:[^"\\\n]|\\.)*")(?=: )/m;

/** JSON with its keys in a colour; left to right in every language, as JSON is read. */
function renderJson(label: string, json: string): TemplateResult {
  const parts = escapeInvisible(json).split(KEY);
  return html`<pre part="json" dir="ltr" tabindex="0" role="region" aria-label=${label}>
${parts.map((part, index) => (index % 2 ? html`<span class="key">${part}</span>` : part))}</pre>`;
}

function renderRest(isLong: boolean, showMore: () => void): TemplateResult {
  if (!isLong)
    return html`<p class="rest">
      <button @click=${showMore}>${msg('Show more', { id: 'mcp.long-text.more' })}</button>
    </p>`;
  return html`<p class="rest">
    ${msg('The rest is too long to be shown. Copy the message, or save all messages.', { id: 'mcp.wire.too-long' })}
  </p>`;
}

import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { icon, warningIcon, closeIcon, copyIcon, iconButton } from '../../base/look/icons.js';
import { formatDuration } from '../../base/text/duration.js';
import { formatNumber, formatSize, isolate } from '../../base/text/format.js';
import { writeJson } from '../../base/text/json-text.js';
import { languageTag } from '../../base/text/language.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { escapeInvisible } from '../../base/text/visible-text.js';
import { errorOf, fieldsOf, isToolFailure, isFailure, type WireEntry } from './wire-entry.js';

/** A string of a message, on one line. */
export const inLine = (text: unknown): string =>
  escapeInvisible(truncateText(typeof text === 'string' ? text : ''));

/** The kind of a line: the method, or words. */
export function nameOfEntry({ kind, method }: WireEntry): string {
  switch (kind) {
    case 'request':
    case 'notification':
      return inLine(method) || '""';
    case 'answer':
      return msg('Answer to no open request', { id: 'mcp.wire.stray-answer' });
    case 'invalid':
      return msg('Not a JSON-RPC message', { id: 'mcp.wire.invalid' });
    case 'problem':
      return msg('Problem of the transport', { id: 'mcp.wire.problem' });
    case 'opened':
      return msg('Connection opened', { id: 'mcp.wire.opened' });
    case 'closed':
      return msg('Connection ended', { id: 'mcp.wire.ended' });
  }
}

/** The subject of a message: an address, a name, or the message that it refers to. */
export function subjectOf({ kind, message, connection }: WireEntry): string {
  if (kind === 'problem') return inLine(message);
  if (kind === 'opened' || kind === 'closed') return `#${connection}`;
  const { params, id } = fieldsOf(message);
  if (kind === 'answer') return idInWords(id);
  const fields = fieldsOf(params);
  const { uri, name } = fields;
  if (typeof uri === 'string') return inLine(uri);
  if (typeof name === 'string') return inLine(name);
  return otherSubjectOf(fields);
}

function otherSubjectOf({
  ref,
  cursor,
  requestId,
  notifications,
  progressToken,
}: {
  readonly [name: string]: unknown;
}): string {
  const { uri, name } = fieldsOf(ref);
  if (uri !== undefined || name !== undefined) return inLine(uri ?? name);
  if (cursor !== undefined) return msg('next page', { id: 'mcp.wire.next-page' });
  const uris = fieldsOf(notifications)['resourceSubscriptions'];
  if (Array.isArray(uris)) {
    const count = formatNumber(uris.length);
    return msg(str`resources: ${count}`, { id: 'mcp.wire.resources' });
  }
  return idInWords(requestId ?? progressToken);
}

function idInWords(id: unknown): string {
  if (typeof id === 'number') return `#${id}`;
  return typeof id === 'string' ? `#${inLine(id)}` : '';
}

/** How a request ended, in a few words; empty for what has no answer. */
function outcomeOf(entry: WireEntry): string {
  const error = errorOf(entry);
  if (error) {
    const { code } = error;
    const word = msg('error', { id: 'mcp.wire.error' });
    // Isolated: the minus sign stays before the number in right-to-left texts.
    return typeof code === 'number' ? `${word} ${isolate(String(code))}` : word;
  }
  if (isToolFailure(entry)) return msg('tool failed', { id: 'mcp.wire.tool-failed' });
  switch (entry.state) {
    case 'open':
      return entry.method === 'subscriptions/listen'
        ? msg('open', { id: 'mcp.wire.stream-open' })
        : msg('waiting', { id: 'mcp.wire.waiting' });
    case 'answered':
      return msg('OK', { id: 'mcp.wire.ok' });
    case 'cancelled':
      return msg('cancelled', { id: 'mcp.wire.cancelled' });
    case 'lost':
      return entry.method === 'subscriptions/listen'
        ? msg('ended', { id: 'mcp.wire.stream-ended' })
        : msg('lost', { id: 'mcp.wire.lost' });
    case 'unsent':
      return msg('not sent', { id: 'mcp.wire.unsent' });
    case 'none':
      return '';
  }
}

/** The reason of a failure, in the words of its sender. */
function reasonOf(entry: WireEntry): string {
  const { message } = errorOf(entry) ?? {};
  return typeof message === 'string' ? escapeInvisible(truncateText(message, 500)) : '';
}

/** Whether the message was sent or received. */
function directionOf({ direction, kind }: WireEntry): string {
  if (kind === 'opened' || kind === 'closed' || kind === 'problem') return '';
  return direction === 'sent'
    ? msg('sent', { id: 'mcp.wire.sent' })
    : msg('received', { id: 'mcp.wire.received' });
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
  const duration = durationMs === undefined || state === 'lost' ? '' : formatDuration(durationMs);
  const size = message === undefined ? '' : formatSize(sizeBytes);
  return [time, directionOf(entry), outcomeOf(entry), duration, size].filter(Boolean).join(' · ');
}

// Paths of Lucide, as in look/icons.ts.
const sentIcon = 'M12 19V5M5 12l7-7 7 7';
const receivedIcon = 'M12 5v14M19 12l-7 7-7-7';
const notificationIcon =
  'M10.268 21a2 2 0 0 0 3.464 0M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326';
const connectionIcon = 'M12 22v-5M9 8V2M15 8V2M18 8v5a4 4 0 0 1-4 4h-4a4 4 0 0 1-4-4V8z';

/** The place of a row. */
interface RowPlace {
  index: number;
  /** How many rows exist. */
  count: number;
  isActive: boolean;
}

/** The id of a row in the list. */
export const idOf = ({ number }: WireEntry): string => `row-${number}`;

/** A line as an option of a list box. */
export function renderRow(
  entry: WireEntry,
  sizeBytes: number,
  { index, count, isActive }: RowPlace,
): TemplateResult {
  const { kind, durationMs, state, message } = entry;
  const isTimed = durationMs !== undefined && state !== 'lost';
  return html`<div
    id=${idOf(entry)}
    class=${`row ${kind}${isFailure(entry) ? ' failure' : ''}${isActive ? ' active' : ''}`}
    part="row"
    role="option"
    aria-selected=${isActive}
    aria-setsize=${count}
    aria-posinset=${index + 1}
    data-index=${index}
  >
    ${icon(iconOf(entry))}
    <span class="visually-hidden">${directionOf(entry)}</span>
    <span class="method">${nameOfEntry(entry)}</span>
    <span class="subject">${subjectOf(entry)}</span>
    <span class="outcome">${outcomeOf(entry)}</span>
    <span class="duration">${isTimed ? formatDuration(durationMs) : nothing}</span>
    <span class="size">${message === undefined ? nothing : formatSize(sizeBytes)}</span>
  </div>`;
}

function iconOf({ kind, direction }: WireEntry): string {
  if (kind === 'request') return direction === 'sent' ? sentIcon : receivedIcon;
  if (kind === 'notification') return notificationIcon;
  return kind === 'opened' || kind === 'closed' ? connectionIcon : warningIcon;
}

/** How many characters of a message are shown at first, and at most. */
const FIRST_LENGTH = 8_192;
const MAX_LENGTH = 32_768;

/** The acts of the user on the line in the details. */
interface DetailActions {
  close(): void;
  copy(message: unknown): void;
  /** Shows more of both messages. */
  showMore(): void;
}

/** Everything about one line: both messages as JSON, which is only shown. */
export function renderDetails(
  entry: WireEntry,
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
    ${show(nameOfMessage(entry), message)} ${show(msg('Answer', { id: 'mcp.wire.answer' }), answer)}
  </section>`;
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

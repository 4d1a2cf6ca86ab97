import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { icon, warningIcon } from '../../base/look/icons.js';
import { formatDuration } from '../../base/text/duration.js';
import { formatNumber, formatSize, isolate } from '../../base/text/format.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { escapeInvisible } from '../../base/text/visible-text.js';
import { fieldsOf } from '../../reading/gate.js';
import { errorOf, isToolFailure, isFailure, type WireEntry } from './wire-entry.js';

/** A string of a message, on one line. */
export const inLine = (text: unknown): string =>
  escapeInvisible(truncateText(typeof text === 'string' ? text : ''));

/** The kind of a line: the method, or a text. */
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

/** The result of a request as a short text; empty for a line without an answer. */
export function outcomeOf(entry: WireEntry): string {
  const error = errorOf(entry);
  if (error) {
    const { code } = error;
    const word = msg('error', { id: 'mcp.wire.error' });
    // The number is isolated, so that the minus sign stays before it in right-to-left texts.
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

/** Whether the message was sent or received. */
export function directionOf({ direction, kind }: WireEntry): string {
  if (kind === 'opened' || kind === 'closed' || kind === 'problem') return '';
  return direction === 'sent'
    ? msg('sent', { id: 'mcp.wire.sent' })
    : msg('received', { id: 'mcp.wire.received' });
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
  /** The number of rows. */
  count: number;
  isActive: boolean;
  /** The number of messages of the line; 0 if they are only a request and its answer. */
  messages: number;
}

/** The id of a row in the list. */
export const idOf = ({ number }: WireEntry): string => `row-${number}`;

/** A line as an option of a list box. */
export function renderRow(
  entry: WireEntry,
  sizeBytes: number,
  { index, count, isActive, messages }: RowPlace,
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
    ${messages > 0 ? renderMessageCount(messages) : nothing}
    <span class="outcome">${outcomeOf(entry)}</span>
    <span class="duration">${isTimed ? formatDuration(durationMs) : nothing}</span>
    <span class="size">${message === undefined ? nothing : formatSize(sizeBytes)}</span>
  </div>`;
}

function renderMessageCount(messages: number): TemplateResult {
  const all = formatNumber(messages);
  return html`<span class="messages">${msg(str`${all} messages`, { id: 'mcp.wire.lines' })}</span>`;
}

function iconOf({ kind, direction }: WireEntry): string {
  if (kind === 'request') return direction === 'sent' ? sentIcon : receivedIcon;
  if (kind === 'notification') return notificationIcon;
  return kind === 'opened' || kind === 'closed' ? connectionIcon : warningIcon;
}

import { msg, str } from '@lit/localize';
import { formatDuration } from '../../base/text/duration.js';
import { formatNumber, formatSize } from '../../base/text/format.js';
import { languageTag } from '../../base/text/language.js';
import { escapeInvisible } from '../../base/text/visible-text.js';
import { isolate } from '../../base/text/isolate.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { errorOf, fieldsOf, isToolFailure, type WireEntry } from './wire-entry.js';

/** A string of a message, on one line. */
export const inLine = (text: unknown): string =>
  escapeInvisible(truncateText(typeof text === 'string' ? text : ''));

/** What kind of line it is: the method, or words. */
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

/** What the message is about: an address, a name, or the message that it refers to. */
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
export function outcomeOf(entry: WireEntry): string {
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
export function reasonOf(entry: WireEntry): string {
  const { message } = errorOf(entry) ?? {};
  return typeof message === 'string' ? escapeInvisible(truncateText(message, 500)) : '';
}

/** Whether the message was sent or received. */
export function directionOf({ direction, kind }: WireEntry): string {
  if (kind === 'opened' || kind === 'closed' || kind === 'problem') return '';
  return direction === 'sent'
    ? msg('sent', { id: 'mcp.wire.sent' })
    : msg('received', { id: 'mcp.wire.received' });
}

/** The time, the direction, the outcome, the duration and the size, as far as they are known. */
export function factsOf(entry: WireEntry, sizeBytes: number): string {
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

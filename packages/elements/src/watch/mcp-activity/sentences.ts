import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, isolate } from '../../base/text/format.js';
import { nameOf } from '../../base/text/name-of.js';
import { truncateText } from '../../base/text/truncate-text.js';
import type { Action } from './actions.js';

/** The known titles of resources, by their addresses. */
type Titles = ReadonlyMap<string, string>;

/** The action of a client, or its attempt, as a sentence without its subject: `Read “Shopping”`. */
export function sentenceOf(action: Action, titles: Titles): string {
  const { method, uris, outcome } = action;
  if (uris.size > 1 && method === 'resources/read') return readMany(action);
  return times(outcome === 'ok' ? done(action, titles) : wanted(action, titles), action);
}

function done(action: Action, titles: Titles): string {
  switch (action.method) {
    case 'resources/read':
      return readOne(action, titles);
    case 'tools/call':
      return wroteByTool(action) ?? usedTool(action.name);
    case 'prompts/get': {
      const name = quote(action.name ?? '');
      return msg(str`Used the prompt ${name}`, { id: 'mcp.activity.prompt' });
    }
    default:
      return otherRequest(action.method);
  }
}

function wanted(action: Action, titles: Titles): string {
  const { method } = action;
  const name = quote(action.name ?? '');
  // The tool ran, and has reported a failure.
  if (method === 'tools/call' && action.outcome === 'failed')
    return msg(str`Used the tool ${name}`, { id: 'mcp.activity.tool' });
  if (method === 'tools/call')
    return msg(str`Wanted to use the tool ${name}`, { id: 'mcp.activity.wanted-tool' });
  if (method === 'prompts/get')
    return msg(str`Wanted to use the prompt ${name}`, { id: 'mcp.activity.wanted-prompt' });
  if (method !== 'resources/read' && method !== 'access') return unknownRequest(method);
  const what = quote(whatWasRead(action, titles));
  return msg(str`Wanted to read ${what}`, { id: 'mcp.activity.wanted-read' });
}

/** The result of an action as a text; empty for a success. */
export function outcomeInWords({ outcome, omitted }: Action): string {
  switch (outcome) {
    case 'ok':
      return '';
    case 'failed':
      return msg('Failed', { id: 'mcp.activity.failed' });
    case 'asked':
      return msg('Asked the user', { id: 'mcp.activity.asked' });
    case 'refused':
      return msg('Refused', { id: 'mcp.activity.refused' });
    case 'denied':
      if (omitted === 0) return msg('Not allowed', { id: 'mcp.activity.denied' });
      return msg(str`Not allowed (others: ${formatNumber(omitted)})`, {
        id: 'mcp.activity.denied-others',
      });
    case 'cancelled':
      return msg('Cancelled', { id: 'mcp.activity.cancelled' });
  }
}

const quote = (name: string): string => `“${isolate(truncateText(name, 80))}”`;

/** A sentence for an action that was made several times. */
function times(sentence: string, { count }: Action): string {
  return count === 1 ? sentence : `${sentence} (${formatNumber(count)} ×)`;
}

function readMany({ scheme, uris, outcome }: Action): string {
  const count = formatNumber(uris.size);
  if (outcome !== 'ok')
    return msg(str`Wanted to read resources: ${count}`, { id: 'mcp.activity.wanted-many' });
  if (scheme === 'note') return msg(str`Read notes: ${count}`, { id: 'mcp.activity.read-notes' });
  if (scheme === 'file') return msg(str`Read files: ${count}`, { id: 'mcp.activity.read-files' });
  if (scheme === 'search')
    return msg(str`Searched the notes for words: ${count}`, { id: 'mcp.activity.searches' });
  return msg(str`Read resources: ${count}`, { id: 'mcp.activity.read-resources' });
}

function readOne(action: Action, titles: Titles): string {
  const { uris, scheme } = action;
  if (scheme === 'search') return msg('Searched the notes', { id: 'mcp.activity.tool-search' });
  const [uri = ''] = uris;
  if (scheme === 'note' && !titles.has(uri))
    return msg('Read a note', { id: 'mcp.activity.read-note' });
  const name = quote(whatWasRead(action, titles));
  return msg(str`Read ${name}`, { id: 'mcp.activity.read' });
}

/** The title, or otherwise the path of a file, or the address. */
function whatWasRead({ uris, scheme }: Action, titles: Titles): string {
  const [uri = ''] = uris;
  return titles.get(uri) ?? (scheme === 'file' ? nameOf(uri) : uri);
}

/** The sentence for one of our tools, with its note or file; `undefined` if that is not known. */
function wroteByTool({ name: tool, title, uris }: Action): string | undefined {
  const [uri] = uris;
  if (uri === undefined) return undefined;
  const isFile = uri.startsWith('file:');
  if (!title && !isFile) return undefined;
  const name = quote(isFile ? nameOf(uri) : title!);
  switch (tool) {
    case 'create_note':
      return msg(str`Created ${name}`, { id: 'mcp.activity.created' });
    case 'update_note':
    case 'append_to_note':
      return msg(str`Changed ${name}`, { id: 'mcp.activity.changed' });
    case 'delete_note':
    case 'delete_file':
      return msg(str`Deleted ${name}`, { id: 'mcp.activity.deleted' });
    case 'save_file':
      return msg(str`Saved ${name}`, { id: 'mcp.activity.saved' });
    case 'move_file':
      return msg(str`Moved ${name}`, { id: 'mcp.activity.moved' });
    default:
      return undefined;
  }
}

function usedTool(tool = ''): string {
  switch (tool) {
    case 'create_note':
      return msg('Created a note', { id: 'mcp.activity.tool-create' });
    case 'update_note':
    case 'append_to_note':
      return msg('Changed a note', { id: 'mcp.activity.tool-change' });
    case 'delete_note':
      return msg('Deleted a note', { id: 'mcp.activity.tool-delete' });
    case 'search_notes':
      return msg('Searched the notes', { id: 'mcp.activity.tool-search' });
    case 'save_file':
      return msg('Saved a file', { id: 'mcp.activity.tool-save-file' });
    case 'move_file':
      return msg('Moved a file', { id: 'mcp.activity.tool-move-file' });
    case 'delete_file':
      return msg('Deleted a file', { id: 'mcp.activity.tool-delete-file' });
    case 'search_files':
      return msg('Searched the files', { id: 'mcp.activity.tool-search-files' });
    default: {
      const name = quote(tool);
      return msg(str`Used the tool ${name}`, { id: 'mcp.activity.tool' });
    }
  }
}

function otherRequest(method: string): string {
  switch (method) {
    case 'resources/list':
    case 'resources/templates/list':
      return msg('Listed the resources', { id: 'mcp.activity.listed' });
    case 'tools/list':
      return msg('Listed the tools', { id: 'mcp.activity.listed-tools' });
    case 'prompts/list':
      return msg('Listed the prompts', { id: 'mcp.activity.listed-prompts' });
    case 'subscriptions/listen':
    case 'resources/subscribe':
      return msg('Subscribed to changes', { id: 'mcp.activity.subscribed' });
    case 'server/discover':
    case 'initialize':
      return msg('Connected', { id: 'mcp.activity.connected' });
    default:
      return unknownRequest(method);
  }
}

function unknownRequest(method: string): string {
  const name = quote(method);
  return msg(str`Sent the request ${name}`, { id: 'mcp.activity.other' });
}

/**
 * A sentence on one line. A name in it is an element of its own, because a name that is too long would
 * otherwise lose its beginning in a sentence of the other direction.
 */
export function renderSentence(sentence: string): TemplateResult {
  // The text between the marks of `isolate` is a name.
  const parts = sentence.split(/\u2068(.*?)\u2069/s).map((text, index) => {
    if (text === '') return nothing;
    return index % 2 === 1
      ? html`<bdi class="one-line">${text}</bdi>`
      : html`<span class="one-line">${text}</span>`;
  });
  return html`<span class="sentence" title=${sentence}><span dir="auto">${parts}</span></span>`;
}

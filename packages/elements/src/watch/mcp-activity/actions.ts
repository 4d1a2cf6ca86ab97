import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { renderFilter } from '../../base/look/filter.js';
import type { ActivityEntry, Doer, KeptChange, Outcome } from './log.js';

/** Requests of one kind and one client at about the same time. */
export interface Action {
  readonly key: string;
  readonly method: string;
  readonly outcome: Outcome;
  /** The name of a tool or prompt. */
  readonly name: string | undefined;
  /** The title of the note that a tool has written, as it was then; absent without one. */
  readonly title: string | undefined;
  /** The kind of a resource that was read: `note`, `file`, `other`; empty for any other request. */
  readonly scheme: string;
  /** The addresses, each once. */
  readonly uris: Set<string>;
  /** The changes of these requests, the newest first. */
  readonly changes: KeptChange[];
  count: number;
  /** The number of later denials of any kind that are no longer in the log. */
  omitted: number;
  /** The start of the newest request, in milliseconds since 1970. */
  readonly timeMs: number;
}

/** The actions of one client, without a long pause. */
export interface ActivityGroup {
  readonly key: string;
  readonly doer: Doer;
  readonly timeMs: number;
  readonly actions: readonly Action[];
}

/** The entries that the user wants to see. */
export interface ActivityFilter {
  /**
   * The kind of entries. `data`: reads, tools and prompts. `tools`: only tools. `refused`: requests that were
   * not carried out.
   */
  what: 'data' | 'tools' | 'refused' | 'all';
  /** The number of the connection. Default: all clients. */
  connection: number | undefined;
}

/** The maximum pause within a group, in milliseconds; a longer one begins another group. */
const MAX_PAUSE_MS = 60_000;

const LOG_URI = 'inpage:///activity';

const DATA_METHODS: readonly string[] = ['resources/read', 'tools/call', 'prompts/get', 'access'];

/** Whether a request passes the filter. */
export function passes(
  { method, uri, outcome, connection }: ActivityEntry,
  filter: ActivityFilter,
): boolean {
  if (filter.connection !== undefined && filter.connection !== connection) return false;
  switch (filter.what) {
    case 'all':
      return true;
    case 'data':
      return DATA_METHODS.includes(method) && uri !== LOG_URI;
    case 'tools':
      return method === 'tools/call';
    case 'refused':
      return outcome !== 'ok' && outcome !== 'asked';
  }
}

interface OpenGroup {
  group: ActivityGroup & { actions: Action[] };
  oldestMs: number;
  byKey: Map<string, Action>;
}

/** Requests in groups, the newest first. */
export function groupsOf(entries: readonly ActivityEntry[]): ActivityGroup[] {
  const groups: ActivityGroup[] = [];
  const open = new Map<number | string, OpenGroup>();
  for (const entry of entries) {
    const { connection, by = '', timeMs } = entry;
    const doer = connection ?? by;
    let current = open.get(doer);
    if (!current || current.oldestMs - timeMs > MAX_PAUSE_MS) {
      const key = `${doer} ${timeMs} ${groups.length}`;
      const group = { key, doer: { connection, by }, timeMs, actions: [] };
      current = { group, oldestMs: timeMs, byKey: new Map() };
      groups.push(group);
      open.set(doer, current);
    }
    current.oldestMs = timeMs;
    addTo(current, entry);
  }
  return groups;
}

function addTo({ group, byKey }: OpenGroup, entry: ActivityEntry): void {
  const { method, outcome, uri, title, timeMs } = entry;
  const scheme = method === 'resources/read' || method === 'access' ? schemeOf(uri) : '';
  const name = method === 'tools/call' || method === 'prompts/get' ? entry.name : undefined;
  // Several changes of one note are one line; changes of another note are another line.
  const about = method === 'tools/call' ? uri : undefined;
  const kind = [method, outcome, scheme, name ?? '', about ?? ''].join('\n');
  let action = byKey.get(kind);
  if (!action) {
    const key = `${group.key} ${kind}`;
    const start = { uris: new Set<string>(), changes: [], count: 0, omitted: 0, timeMs };
    action = { key, method, outcome, name, title, scheme, ...start };
    byKey.set(kind, action);
    group.actions.push(action);
  }
  action.count += 1;
  action.omitted += entry.omitted;
  action.changes.push(...entry.changes);
  if (uri !== undefined) action.uris.add(uri);
}

function schemeOf(uri = ''): string {
  if (uri.startsWith('note:///search')) return 'search';
  if (uri.startsWith('note:')) return 'note';
  return uri.startsWith('file:') ? 'file' : 'other';
}

/** A client that the user can choose. */
interface ClientChoice {
  connection: number;
  name: string;
}

/** Renders the choices of a kind of activity and, if several clients exist or one is chosen, of a client. */
export function renderFilters(
  { what, connection }: ActivityFilter,
  clients: readonly ClientChoice[],
  onchange: (change: Partial<ActivityFilter>) => void,
): TemplateResult {
  const all = msg('All clients', { id: 'mcp.activity.all-clients' });
  const names = clients.map((client) => [String(client.connection), client.name] as const);
  const choose = (value: string): void =>
    onchange({ connection: value === '' ? undefined : Number(value) });
  return html`<div class="bar filters" part="filters">
    ${renderFilter(
      msg('Kind of activity', { id: 'mcp.activity.kind' }),
      [
        ['data', msg('Reads and tools', { id: 'mcp.activity.data' })],
        ['tools', msg('Only tools', { id: 'mcp.activity.tools' })],
        ['refused', msg('Failures only', { id: 'mcp.activity.only-refused' })],
        ['all', msg('Everything', { id: 'mcp.activity.all' })],
      ],
      what,
      (chosen) => onchange({ what: chosen }),
    )}
    ${
      clients.length < 2 && connection === undefined
        ? nothing
        : renderFilter(
            msg('Client', { id: 'mcp.activity.client' }),
            [['', all], ...names],
            String(connection ?? ''),
            choose,
          )
    }
  </div>`;
}

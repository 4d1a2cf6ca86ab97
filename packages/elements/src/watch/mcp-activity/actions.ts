import type { ActivityEntry, Outcome } from './activity-entries.js';

/** Requests of one kind and one client at about the same time. */
export interface Action {
  readonly key: string;
  readonly method: string;
  readonly outcome: Outcome;
  /** Of a tool or prompt. */
  readonly name: string | undefined;
  /** What was read: `note`, `file`, `other`; empty for anything else. */
  readonly scheme: string;
  /** The addresses, each once. */
  readonly uris: Set<string>;
  count: number;
  /** How many later denials of any kind are no longer in the log. */
  omitted: number;
  /** When the newest of them began: milliseconds since 1970. */
  readonly timeMs: number;
}

/** What one client did, with no long pause. */
export interface ActivityGroup {
  readonly key: string;
  readonly connection: number;
  readonly timeMs: number;
  readonly actions: readonly Action[];
}

/** What the user wants to see. */
export interface ActivityFilter {
  /** `data`: reads, tools and prompts. `tools`: only those. `refused`: what was not carried out. */
  what: 'data' | 'tools' | 'refused' | 'all';
  /** Default: all clients. */
  connection: number | undefined;
}

/** A longer pause begins another group, in milliseconds. */
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
  const open = new Map<number, OpenGroup>();
  for (const entry of entries) {
    const { connection, timeMs } = entry;
    let current = open.get(connection);
    if (!current || current.oldestMs - timeMs > MAX_PAUSE_MS) {
      const key = `${connection} ${timeMs} ${groups.length}`;
      const group = { key, connection, timeMs, actions: [] };
      current = { group, oldestMs: timeMs, byKey: new Map() };
      groups.push(group);
      open.set(connection, current);
    }
    current.oldestMs = timeMs;
    addTo(current, entry);
  }
  return groups;
}

function addTo({ group, byKey }: OpenGroup, entry: ActivityEntry): void {
  const { method, outcome, uri, timeMs } = entry;
  const scheme = method === 'resources/read' || method === 'access' ? schemeOf(uri) : '';
  const name = method === 'tools/call' || method === 'prompts/get' ? entry.name : undefined;
  const kind = [method, outcome, scheme, name ?? ''].join('\n');
  let action = byKey.get(kind);
  if (!action) {
    const key = `${group.key} ${kind}`;
    action = { key, method, outcome, name, scheme, uris: new Set(), count: 0, omitted: 0, timeMs };
    byKey.set(kind, action);
    group.actions.push(action);
  }
  action.count += 1;
  action.omitted += entry.omitted;
  if (uri !== undefined) action.uris.add(uri);
}

function schemeOf(uri = ''): string {
  if (uri.startsWith('note:///search')) return 'search';
  if (uri.startsWith('note:')) return 'note';
  return uri.startsWith('file:') ? 'file' : 'other';
}

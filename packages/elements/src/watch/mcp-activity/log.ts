import type { ReadResourceResult } from '@inpage-mcp/client';
import { amountOf, fieldsOf, textOf, usableEntries, type Fields } from '../../reading/gate.js';

const OUTCOMES = ['ok', 'failed', 'asked', 'refused', 'denied', 'cancelled'] as const;

/** The result of a request, as in docs/resources.md. */
export type Outcome = (typeof OUTCOMES)[number];

/** The client that has acted. */
export interface Doer {
  /** The number of the connection; absent if it does not belong to this server. */
  connection: number | undefined;
  /** The name that was kept with a change. */
  by?: string | undefined;
}

/** One request in the log of a server. */
export interface ActivityEntry extends Doer {
  /** The time in milliseconds since 1970. */
  timeMs: number;
  method: string;
  uri: string | undefined;
  name: string | undefined;
  /** The title of the note that a tool has written. */
  title: string | undefined;
  outcome: Outcome;
  /** The number of later denials of any kind that are no longer in the log. */
  omitted: number;
  /** The changes of the request, the newest first. */
  changes: readonly KeptChange[];
}

/** A log, with the entries that can be shown. */
export interface Activity {
  /** The entries, the newest first. */
  entries: readonly ActivityEntry[];
  /** The number of entries that cannot be shown. */
  unusable: number;
}

/**
 * The maximum length of a log in UTF-16 code units; a longer one is not read, because parsing it would block
 * the page.
 */
const MAX_LENGTH = 2_000_000;

/**
 * Reads a log.
 *
 * @throws {Error} if the contents are not a log.
 */
export function activityOf({ contents }: ReadResourceResult): Activity {
  const [first] = contents;
  const text = first && 'text' in first ? first.text : '';
  if (text.length > MAX_LENGTH) throw new Error('The log of the server is too long to be shown.');
  const log = fieldsOf(JSON.parse(text));
  const [usable, unusable] = usableEntries(log['entries'], entryOf);
  const [changes, unusableChanges] = keptChangesOf(log);
  const entries = usable.toSorted((a, b) => b.timeMs - a.timeMs);
  return { entries: withChanges(entries, changes), unusable: unusable + unusableChanges };
}

function entryOf(fields: Fields): ActivityEntry | undefined {
  const { time, connection, method, uri, name, title, omitted } = fields;
  const timeMs = Date.parse(textOf(time) ?? '');
  const outcome = OUTCOMES.find((one) => one === fields['outcome']);
  if (Number.isNaN(timeMs) || !Number.isSafeInteger(connection)) return undefined;
  if (typeof method !== 'string' || !outcome) return undefined;
  return {
    timeMs,
    connection: connection as number,
    method,
    uri: textOf(uri),
    name: textOf(name),
    title: textOf(title),
    outcome,
    omitted: amountOf(omitted) ?? 0,
    changes: [],
  };
}

const TYPES = ['created', 'updated', 'deleted', 'moved'] as const;
const REVERTS = ['possible', 'done', 'impossible'] as const;

/** A change of a client, as the log of the server keeps it, also from earlier visits. */
export interface KeptChange {
  number: number;
  timeMs: number;
  /** The number of the connection; absent if the client does not belong to this server. */
  connection: number | undefined;
  /** The name of the client. */
  by: string | undefined;
  type: (typeof TYPES)[number];
  uri: string;
  /** The title of a note. */
  title: string | undefined;
  /** Whether the change can be undone, or was undone. */
  revert: (typeof REVERTS)[number];
}

/** The changes that can be shown, the newest first, and the number of those that cannot. */
function keptChangesOf(log: Fields): readonly [readonly KeptChange[], number] {
  if (!Array.isArray(log['changes'])) return [[], 0];
  const [changes, unusable] = usableEntries(log['changes'], changeOf);
  return [changes.toSorted((a, b) => b.timeMs - a.timeMs), unusable];
}

function changeOf(fields: Fields): KeptChange | undefined {
  const { number, time, connection, by, uri, title } = fields;
  const timeMs = Date.parse(textOf(time) ?? '');
  const type = TYPES.find((one) => one === fields['type']);
  const revert = REVERTS.find((one) => one === fields['revert']);
  if (Number.isNaN(timeMs) || !Number.isSafeInteger(number) || typeof uri !== 'string')
    return undefined;
  if (!type || !revert) return undefined;
  return {
    number: number as number,
    timeMs,
    connection: Number.isSafeInteger(connection) ? (connection as number) : undefined,
    by: textOf(by),
    type,
    uri,
    title: textOf(title),
    revert,
  };
}

/** The length to which a log cuts the addresses of its entries. */
const CUT_LENGTH = 200;

/**
 * The requests of the log with their changes, and an entry for each change whose request is no longer in it.
 *
 * @param entries The entries, the newest first.
 * @param changes The changes, the newest first.
 */
function withChanges(
  entries: readonly ActivityEntry[],
  changes: readonly KeptChange[],
): ActivityEntry[] {
  const keyOf = ({ connection, uri = '' }: Pick<ActivityEntry, 'connection' | 'uri'>): string =>
    `${connection} ${uri.slice(0, CUT_LENGTH)}`;
  const left = new Map<string, KeptChange[]>();
  for (const change of changes.toReversed()) {
    const key = keyOf(change);
    const others = left.get(key);
    if (others) others.push(change);
    else left.set(key, [change]);
  }
  const known = entries.map((entry): ActivityEntry => {
    const own: KeptChange[] = [];
    const possible = entry.method === 'tools/call' ? left.get(keyOf(entry)) : undefined;
    // The changes of later requests for the same entry have already been taken.
    while (possible?.at(-1) && possible.at(-1)!.timeMs >= entry.timeMs) own.push(possible.pop()!);
    return { ...entry, by: own[0]?.by, changes: own };
  });
  const alone = [...left.values()].flat().map(asEntry);
  return [...known, ...alone].toSorted((a, b) => b.timeMs - a.timeMs);
}

/** A change as an entry, as if the tool that makes such changes had been called. */
function asEntry(change: KeptChange): ActivityEntry {
  const { timeMs, connection, by, uri, title } = change;
  const name = TOOLS[uri.startsWith('file:') ? 'file' : 'note'][change.type];
  const call = { method: 'tools/call', name, outcome: 'ok' as const, omitted: 0 };
  return { ...call, timeMs, connection, by, uri, title, changes: [change] };
}

const TOOLS = {
  note: {
    created: 'create_note',
    updated: 'update_note',
    deleted: 'delete_note',
    moved: 'update_note',
  },
  file: {
    created: 'save_file',
    updated: 'save_file',
    deleted: 'delete_file',
    moved: 'move_file',
  },
};

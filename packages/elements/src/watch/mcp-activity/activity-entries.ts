import type { ReadResourceResult } from '@inpage-mcp/client';

const OUTCOMES = ['ok', 'failed', 'asked', 'refused', 'denied', 'cancelled'] as const;

/** How a request ended, as in docs/resources.md. */
export type Outcome = (typeof OUTCOMES)[number];

/** One request in the log of a server. */
export interface ActivityEntry {
  /** Milliseconds since 1970. */
  timeMs: number;
  connection: number;
  method: string;
  uri: string | undefined;
  name: string | undefined;
  outcome: Outcome;
  /** How many later denials of any kind are no longer in the log. */
  omitted: number;
}

/** What is shown of a log. */
export interface Activity {
  /** The newest first. */
  entries: readonly ActivityEntry[];
  /** How many entries cannot be shown. */
  unusable: number;
}

/** A longer log is not read: to parse it would keep the page busy. In UTF-16 code units. */
const MAX_LENGTH = 2_000_000;

/** More entries are not shown; the servers of this project keep 1,500. */
const MAX_ENTRIES = 5_000;

/** @throws {Error} if the contents are not a log. */
export function activityOf({ contents }: ReadResourceResult): Activity {
  const [first] = contents;
  const text = first && 'text' in first ? first.text : '';
  if (text.length > MAX_LENGTH) throw new Error('The log of the server is too long to be shown.');
  const log: unknown = JSON.parse(text);
  const { entries } = (log ?? {}) as { entries?: unknown };
  if (!Array.isArray(entries)) throw new Error('The server has answered with no log.');
  const usable = entries.slice(0, MAX_ENTRIES).flatMap((entry) => entryOf(entry) ?? []);
  return {
    entries: usable.toSorted((a, b) => b.timeMs - a.timeMs),
    unusable: entries.length - usable.length,
  };
}

function entryOf(value: unknown): ActivityEntry | undefined {
  const { time, connection, method, uri, name, outcome, omitted } = (value ?? {}) as {
    [field: string]: unknown;
  };
  const timeMs = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  const known = OUTCOMES.find((one) => one === outcome);
  if (Number.isNaN(timeMs) || !Number.isSafeInteger(connection)) return undefined;
  if (typeof method !== 'string' || !known) return undefined;
  return {
    timeMs,
    connection: connection as number,
    method,
    uri: textOf(uri),
    name: textOf(name),
    outcome: known,
    omitted: Number.isSafeInteger(omitted) ? Math.max(0, omitted as number) : 0,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

import { callSafely } from '@inpage-mcp/protocol';
import { SharedEntries } from './shared-entries.js';

/** How many entries the log keeps; of the holder with most, the oldest go first. */
export const MAX_ACTIVITY = 1_000;

/** The `method` of an entry for what a tool or prompt was denied. */
export const DENIED_UNDER_WAY = 'access';

/** Longer names and uris are cut in the log: a client chooses them. */
const MAX_SUBJECT_LENGTH = 200;

/** One request of a client, after it has ended. */
export interface ActivityEntry {
  /** When it came in: ISO 8601. */
  time: string;
  /** Which connection of this page, counted from 1. */
  connection: number;
  /** `access` for what a tool or prompt was denied under way. */
  method: string;
  /** The resource that it was about. */
  uri?: string;
  /** The tool or prompt that it was about. */
  name?: string;
  /**
   * How it ended: `ok`; `failed` (a tool's own error, as `isError`); `asked` (the user's input is
   * needed first); `refused` (a JSON-RPC error); `denied` (outside the access of the connection,
   * which was told that there is no such thing); `cancelled`, by the client or the end of the
   * connection.
   */
  outcome: 'ok' | 'failed' | 'asked' | 'refused' | 'denied' | 'cancelled';
  /** The JSON-RPC error code of a `refused` or `denied` one. */
  code?: number;
  /** In milliseconds, to a tenth. */
  durationMs: number;
}

/** What has been asked for, as far as it may be seen. */
export interface Activity {
  /** The newest first. */
  readonly entries: ActivityEntry[];
  /** Calls the listener with each later entry. Returns what stops that. */
  listen(listener: (entry: ActivityEntry) => void): () => void;
}

/** Called with an entry, and with who asked. */
export type ActivityListener = (entry: ActivityEntry, holder: string) => void;

/** Who asked this tab's server for what, in memory. */
export class ActivityLog implements Activity {
  readonly #entries = new SharedEntries<ActivityEntry>(MAX_ACTIVITY);
  readonly #listeners = new Set<ActivityListener>();

  /** The newest first. */
  get entries(): ActivityEntry[] {
    return this.#entries.all.toReversed();
  }

  /** @param holder Who asked: what one of them does drives out no entry of the share of another. */
  add(entry: ActivityEntry, holder: string): void {
    const { uri, name, method } = entry;
    const kept = { ...entry, method: cut(method) };
    if (uri !== undefined) kept.uri = cut(uri);
    if (name !== undefined) kept.name = cut(name);
    this.#entries.add(kept, holder);
    for (const listener of this.#listeners) callSafely(() => listener(kept, holder));
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
  }

  /** Calls the listener with each later entry. Returns what stops that. */
  listen(listener: ActivityListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/**
 * What one connection has asked for. What it was denied looks like what does not exist, here as
 * well as in the answer.
 */
export function activityOf(log: Activity, connection: number): Activity {
  const isOwn = (entry: ActivityEntry): boolean =>
    entry.connection === connection && entry.method !== DENIED_UNDER_WAY;
  return {
    get entries() {
      return log.entries.filter(isOwn).map(asSeen);
    },
    listen: (listener) =>
      log.listen((entry) => {
        if (isOwn(entry)) listener(asSeen(entry));
      }),
  };
}

function asSeen(entry: ActivityEntry): ActivityEntry {
  return entry.outcome === 'denied' ? { ...entry, outcome: 'refused' } : entry;
}

/** A copy, where it is cut: what `slice` gives may keep the whole text in memory (V8). */
function cut(text: string): string {
  if (text.length <= MAX_SUBJECT_LENGTH) return text;
  return structuredClone(`${text.slice(0, MAX_SUBJECT_LENGTH)}…`);
}

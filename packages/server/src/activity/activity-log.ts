import { callSafely } from '@inpage-mcp/transport';
import { FairBuffer, inOrder } from './fair-buffer.js';
import { KeptDenials } from './kept-denials.js';

/**
 * The maximum number of entries in the log; the oldest of the holder with most entries is evicted first. In
 * addition, the log keeps some of the evicted denials.
 */
export const MAX_ACTIVITY = 1_000;

/** The `method` of an entry for an access that a running tool or prompt was denied. */
export const DENIED_DURING_CALL = 'access';

/**
 * The maximum length of names and uris in the log: longer ones are truncated, because a client chooses them.
 */
const MAX_SUBJECT_LENGTH = 200;

/** One request of a client, after it has ended. */
export interface ActivityEntry {
  /** The time when the request arrived: ISO 8601. */
  time: string;
  /** The number of the connection, counted from 1 in this page. */
  connection: number;
  /** The method of the request, or `access` for an access that a running tool or prompt was denied. */
  method: string;
  /** The requested resource, or the one that the result of a tool names. */
  uri?: string;
  /** The requested tool or prompt. */
  name?: string;
  /** The title of the note or file that a tool has written, at that time; its address is `uri`. */
  title?: string;
  /**
   * The outcome of the request: `ok`; `failed` (a tool's own error, as `isError`); `asked` (the user's
   * input is needed first); `refused` (a JSON-RPC error); `denied` (outside the access of the
   * connection; its client received a not-found error); `cancelled`, by the client or because the
   * connection was closed.
   */
  outcome: 'ok' | 'failed' | 'asked' | 'refused' | 'denied' | 'cancelled';
  /** The JSON-RPC error code if the outcome is `refused` or `denied`. */
  code?: number;
  /** The duration in milliseconds, to a tenth. */
  durationMs: number;
  /**
   * The number of later denials of the same holder that the log has removed: of many denials, it keeps only
   * the first and the last ones. Absent if none was removed.
   */
  omitted?: number;
}

/** The requests that a connection may see. */
export interface Activity {
  /** The entries, the newest first. */
  readonly entries: ActivityEntry[];
  /** Calls the listener with each later entry. Returns a function that stops it. */
  listen(listener: (entry: ActivityEntry) => void): () => void;
}

/** Called with an entry and the holder that sent the request. */
export type ActivityListener = (entry: ActivityEntry, holder: string) => void;

/** The requests to this tab's server, in memory. */
export class ActivityLog implements Activity {
  readonly #entries = new FairBuffer<ActivityEntry>(MAX_ACTIVITY);
  readonly #denials = new KeptDenials<ActivityEntry>();
  readonly #listeners = new Set<ActivityListener>();

  /** The entries, the newest first. */
  get entries(): ActivityEntry[] {
    return inOrder([...this.#entries.numbered, ...this.#denials.all]).toReversed();
  }

  /** The entries without evicted denials: which entries remain must not show a guest what was denied. */
  get latest(): ActivityEntry[] {
    return this.#entries.all.toReversed();
  }

  /**
   * Adds an entry.
   *
   * @param holder The sender of the request: a holder cannot evict entries from the share of another.
   */
  add(entry: ActivityEntry, holder: string): void {
    const { uri, name, title, method } = entry;
    const kept = { ...entry, method: cut(method) };
    if (uri !== undefined) kept.uri = cut(uri);
    if (name !== undefined) kept.name = cut(name);
    if (title !== undefined) kept.title = cut(title);
    const evicted = this.#entries.add(kept, holder);
    if (evicted?.[0].entry.outcome === 'denied') this.#denials.add(...evicted);
    for (const listener of this.#listeners) callSafely(() => listener(kept, holder));
  }

  /** Removes all entries. */
  clear(): void {
    this.#entries.clear();
    this.#denials.clear();
  }

  /** Calls the listener with each later entry. Returns a function that stops it. */
  listen(listener: ActivityListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/**
 * The requests of one connection. A denied request looks the same as a request for something that
 * does not exist, here and in its answer.
 */
export function activityOf(log: ActivityLog, connection: number): Activity {
  const isOwn = (entry: ActivityEntry): boolean =>
    entry.connection === connection && entry.method !== DENIED_DURING_CALL;
  return {
    get entries() {
      return log.latest.filter(isOwn).map(hideDenial);
    },
    listen: (listener) =>
      log.listen((entry) => {
        if (isOwn(entry)) listener(hideDenial(entry));
      }),
  };
}

function hideDenial(entry: ActivityEntry): ActivityEntry {
  return entry.outcome === 'denied' ? { ...entry, outcome: 'refused' } : entry;
}

/**
 * Matches characters that take six letters each in JSON: many of them could make the log too long to be read.
 */
const UNSEEN = /[\0-\u001f\p{Surrogate}]/gu;

/**
 * A name for the log. A copy if it is truncated: the result of `slice` may keep the whole text in memory (V8).
 */
export function cut(text: string): string {
  const whole = text.length <= MAX_SUBJECT_LENGTH;
  const short = whole ? text : structuredClone(`${text.slice(0, MAX_SUBJECT_LENGTH)}…`);
  return short.replaceAll(UNSEEN, '\ufffd');
}

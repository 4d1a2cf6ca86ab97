import type { ClientChange, Store } from '@inpage-mcp/store';
import { cut } from '../activity/activity-log.js';
import { fileUri, noteUri } from './resource-uris.js';

/** A change by a client, which may be older than the page. */
export interface KeptChange {
  /** The number of the change, for `runtime.history`. */
  number: number;
  /** The time when it was written: ISO 8601. */
  time: string;
  /** The number of the connection; absent if it belonged to another page, or to an earlier visit. */
  connection?: number;
  /** The name of the author, for people; absent if unknown. */
  by?: string;
  /** The kind of the change of the note or file. */
  type: ClientChange['type'];
  /** The note or file, after the change. */
  uri: string;
  /** The title of a note, after the change or before its deletion. */
  title?: string;
  /** Whether the change can be undone, was undone, or is not kept completely. */
  revert: 'possible' | 'done' | 'impossible';
}

/** The changes of clients, for the log. */
export interface KeptChanges {
  /** All kept changes, the newest first. */
  list(): Promise<KeptChange[]>;
  /** Calls the listener after a change was undone in this tab. Returns a function that stops it. */
  listen(listener: () => void): () => void;
}

/**
 * The changes that clients have made, the newest first.
 *
 * @param run The id of the server whose connections are known by their numbers.
 */
export async function changesOf({ history }: Store, run: string): Promise<KeptChange[]> {
  const changes = await history.list();
  return changes.map((change) => {
    const { number, at, kind, key, type, title, name, isReverted, isRevertible } = change;
    const possible = isRevertible ? 'possible' : 'impossible';
    return {
      number,
      time: new Date(at).toISOString(),
      ...(change.run === run && { connection: change.connection }),
      ...(name !== '' && { by: cut(name) }),
      type,
      uri: kind === 'note' ? noteUri(key) : fileUri(key),
      ...(title !== '' && { title: cut(title) }),
      revert: isReverted ? 'done' : possible,
    };
  });
}

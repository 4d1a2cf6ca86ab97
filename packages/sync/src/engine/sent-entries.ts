import type { Entry } from '../merge/merge-entry.js';

/**
 * The sent versions that are not acknowledged yet: for each entry, by its kind and key, the versions of this
 * device that the server may have. They are stored before they are sent. If an answer gets lost, and the
 * entry changes again before the next round, the device recognises its own version on the server.
 */
export type SentEntries = ReadonlyMap<string, readonly string[]>;

/** The maximum number of versions of an entry that are kept: each needs a round that was interrupted. */
const MAX_VERSIONS = 8;

/** Adds entries that are about to be sent, and removes those that were acknowledged since. */
export function withSent(
  known: SentEntries,
  entries: readonly Entry[],
  acknowledged: ReadonlySet<string>,
): SentEntries {
  const sent = new Map([...known].filter(([name]) => !acknowledged.has(name)));
  for (const entry of entries) {
    const versions = new Set(sent.get(idOf(entry))).add(entry.id!);
    // The first version is the likeliest to have arrived, because the server then refused those after it.
    const kept = [...versions].filter(
      (_, index) => index < MAX_VERSIONS / 2 || index >= versions.size - MAX_VERSIONS / 2,
    );
    sent.set(idOf(entry), kept);
  }
  return sent;
}

/** The name of an entry on this device. */
export const idOf = ({ kind, key }: Pick<Entry, 'kind' | 'key'>): string => `${kind} ${key}`;

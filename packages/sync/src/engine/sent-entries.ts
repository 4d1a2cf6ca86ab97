import type { Entry } from '../merge/merge-entry.js';

/**
 * What was sent and is not yet acknowledged: for each entry, by its kind and key, the versions that the
 * server may have of this device. It is written down before it is sent. When an answer gets lost, and the
 * entry changes again before the next round, the device knows what it meets there as its own.
 */
export type SentEntries = ReadonlyMap<string, readonly string[]>;

/** How many versions of an entry are kept: each needs a round that was cut off. */
const MAX_VERSIONS = 8;

/** With entries that are about to be sent, and without those that were acknowledged since. */
export function withSent(
  known: SentEntries,
  entries: readonly Entry[],
  acknowledged: ReadonlySet<string>,
): SentEntries {
  const sent = new Map([...known].filter(([name]) => !acknowledged.has(name)));
  for (const entry of entries) {
    const versions = new Set(sent.get(idOf(entry))).add(entry.id!);
    // The first is the likeliest to have arrived: those after it were refused then.
    const kept = [...versions].filter(
      (_, index) => index < MAX_VERSIONS / 2 || index >= versions.size - MAX_VERSIONS / 2,
    );
    sent.set(idOf(entry), kept);
  }
  return sent;
}

/** The name of an entry on this device. */
export const idOf = ({ kind, key }: Pick<Entry, 'kind' | 'key'>): string => `${kind} ${key}`;

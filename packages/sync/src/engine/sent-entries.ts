import { encodeUtf8, sha256, toBase64Url } from '../keys/bytes.js';
import type { Entry } from '../merge/merge-entry.js';
import { wordsOf } from './entries.js';

/**
 * What was sent and is not yet acknowledged: for each entry, by its kind and key, the digests of what the
 * server may have of this device. It is written down before it is sent. When an answer gets lost, and the
 * entry changes again before the next round, the device knows what it meets there as its own.
 */
export type SentEntries = ReadonlyMap<string, readonly string[]>;

/** How many versions of an entry are kept: each needs a round that was cut off. */
const MAX_VERSIONS = 8;

/** With entries that are about to be sent, and without those that were acknowledged since. */
export async function withSent(
  known: SentEntries,
  entries: readonly Entry[],
  acknowledged: ReadonlySet<string>,
): Promise<SentEntries> {
  const sent = new Map([...known].filter(([id]) => !acknowledged.has(id)));
  for (const entry of entries) {
    const id = idOf(entry);
    const digests = [...(sent.get(id) ?? []), await digestOf(entry)];
    sent.set(id, [...new Set(digests)].slice(-MAX_VERSIONS));
  }
  return sent;
}

/** Whether an entry of the server is what this device has sent. */
export async function isSent(known: SentEntries, entry: Entry): Promise<boolean> {
  return known.get(idOf(entry))?.includes(await digestOf(entry)) ?? false;
}

/** The name of an entry on this device. */
export const idOf = ({ kind, key }: Pick<Entry, 'kind' | 'key'>): string => `${kind} ${key}`;

async function digestOf(entry: Entry): Promise<string> {
  return toBase64Url(await sha256(encodeUtf8(wordsOf(entry))));
}

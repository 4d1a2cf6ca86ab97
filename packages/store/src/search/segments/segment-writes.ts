import { unwrap, wrap } from 'idb';
import type { SearchBlock } from '../../schema/schema.js';
import { countBits, emptyBitmap, hasBit, setBit } from './bitmap.js';
import type { KnownSegment, SearchStores, SearchTransaction } from '../index-state.js';
import type { BuiltSegment } from './segment-builder.js';
import { positionOf } from './sorted-keys.js';

/** The number of blocks that are written before the next await. */
const BLOCKS_AT_ONCE = 16;

/** A store without promises: nothing awaits them, and a failed request aborts the transaction. */
export function rawStore(
  transaction: SearchTransaction<'readwrite'>,
  name: SearchStores[number],
): IDBObjectStore {
  return unwrap(transaction.objectStore(name));
}

/** Writes a segment in which only `live` keys are not stale; nothing if no key is live. */
export async function putSegment(
  transaction: SearchTransaction<'readwrite'>,
  { segment, blocks }: { segment: BuiltSegment['segment']; blocks: readonly SearchBlock[] },
  live: ReadonlySet<string>,
): Promise<void> {
  const stale = emptyBitmap(segment.keys.length);
  for (const [entry, key] of segment.keys.entries()) if (!live.has(key)) setBit(stale, entry);
  const countStale = countBits(stale);
  if (countStale === segment.keys.length) return;
  const number = await transaction.objectStore('search-segments').add(segment);
  putStale(transaction, number, countStale > 0 ? stale : undefined);
  for (const [block, content] of blocks.entries()) {
    const put = rawStore(transaction, 'search-blocks').put(content, [number, block]);
    if (block % BLOCKS_AT_ONCE === BLOCKS_AT_ONCE - 1) await wrap(put);
  }
}

/** Marks keys as stale. A segment with only stale entries is removed. */
export function markStale(
  transaction: SearchTransaction<'readwrite'>,
  segments: readonly KnownSegment[],
  keys: readonly string[],
): void {
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return;
  for (const { number, segment, stale: before } of segments) {
    if (segment.keys.at(-1)! < first || segment.keys[0]! > last) continue;
    const stale = before ?? emptyBitmap(segment.keys.length);
    let isChanged = false;
    for (const key of keys) {
      const entry = positionOf(segment.keys, key);
      if (entry === -1 || hasBit(stale, entry)) continue;
      setBit(stale, entry);
      isChanged = true;
    }
    if (!isChanged) continue;
    if (countBits(stale) === segment.keys.length) removeSegment(transaction, number);
    else putStale(transaction, number, stale);
  }
}

function putStale(
  transaction: SearchTransaction<'readwrite'>,
  segment: number,
  entries: Uint8Array | undefined,
): void {
  rawStore(transaction, 'search-stale').put({ segment, ...(entries && { entries }) }, segment);
}

export function removeSegment(transaction: SearchTransaction<'readwrite'>, number: number): void {
  rawStore(transaction, 'search-segments').delete(number);
  rawStore(transaction, 'search-stale').delete(number);
  // After all blocks of the segment: an array sorts after every number.
  const blocks = IDBKeyRange.bound([number], [number, []]);
  rawStore(transaction, 'search-blocks').delete(blocks);
}

/** Marks notes as pending. */
export function enqueue(transaction: SearchTransaction<'readwrite'>, ids: readonly string[]): void {
  for (const id of ids) rawStore(transaction, 'unindexed').put(0, ['note', id]);
}

/**
 * Marks notes as no longer pending, with few requests.
 *
 * @param changed All ids of `unindexed` from the first of them to the last, ascending, with their
 *   sequence numbers.
 */
export function removePending(
  transaction: SearchTransaction<'readwrite'>,
  done: ReadonlySet<string>,
  changed: ReadonlyMap<string, number>,
): void {
  const ids = [...changed.keys()];
  if (ids.length === 0) return;
  const store = rawStore(transaction, 'unindexed');
  store.delete(IDBKeyRange.bound(['note', ids[0]], ['note', ids.at(-1)]));
  for (const [id, sequence] of changed) if (!done.has(id)) store.put(sequence, ['note', id]);
}

/** Deletes the pending files of an earlier version, which also indexed files. */
export function removePendingFiles(transaction: SearchTransaction<'readwrite'>): void {
  rawStore(transaction, 'unindexed').delete(IDBKeyRange.bound(['file'], ['file', []]));
  rawStore(transaction, 'search-backlog').delete('file');
}

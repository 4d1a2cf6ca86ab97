import { countBits, hasBit } from './segments/bitmap.js';
import type { KnownSegment } from './index-state.js';

/** The number of segments of about the same size that are merged into one. */
const GROUP_LENGTH = 4;

/** The maximum ratio between the sizes of two segments of one tier. */
const TIER_FACTOR = 4;

/**
 * The segments to merge into one, if any: several of about the same size, or one of which more than half is
 * stale. This keeps the number of segments low, and a note is indexed again only when its segment becomes
 * several times as large.
 *
 * @param maxSize The maximum total size of the segments.
 */
export function segmentsToCompact(
  segments: readonly KnownSegment[],
  maxSize: number,
): readonly KnownSegment[] {
  const mostlyStale = segments.find(({ segment, stale }) => {
    return stale !== undefined && countBits(stale) * 2 > segment.keys.length;
  });
  if (mostlyStale) return [mostlyStale];
  const tiers = new Map<number, KnownSegment[]>();
  for (const known of segments) {
    const tier = tierOf(liveSize(known));
    tiers.set(tier, [...(tiers.get(tier) ?? []), known]);
  }
  for (const tier of tiers.values()) {
    const group = smallestOf(tier, maxSize);
    if (group.length >= GROUP_LENGTH) return group;
  }
  return [];
}

/** The keys of the segments that are not stale, ascending. */
export function liveKeys(segments: readonly KnownSegment[]): string[] {
  return segments
    .flatMap(({ segment, stale }) =>
      stale ? segment.keys.filter((_key, entry) => !hasBit(stale, entry)) : segment.keys,
    )
    .toSorted();
}

/** The smallest segments whose total size is at most `maxSize`, smallest first. */
function smallestOf(segments: readonly KnownSegment[], maxSize: number): KnownSegment[] {
  let size = 0;
  return segments
    .toSorted((a, b) => liveSize(a) - liveSize(b))
    .filter((known) => {
      size += liveSize(known);
      return size <= maxSize;
    });
}

/** The size of a segment without its stale entries, if all entries have the same size. */
function liveSize({ segment, stale }: KnownSegment): number {
  const live = segment.keys.length - (stale ? countBits(stale) : 0);
  return (segment.size * live) / segment.keys.length;
}

function tierOf(size: number): number {
  return Math.floor(Math.log(size) / Math.log(TIER_FACTOR));
}

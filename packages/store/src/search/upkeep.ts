import { countBits, hasBit } from './segments/bitmap.js';
import type { KnownSegment } from './index-state.js';

/** So many segments of about the same size become one. */
const GROUP_LENGTH = 4;

/** Segments of one tier are at most so many times as large as each other. */
const TIER_FACTOR = 4;

/**
 * The segments that are best made into one, none when all is well: several of about the same size, or
 * one of which more than half is stale. So there are few of them, and an entry is made anew only each
 * time that the segment it is in becomes several times as large.
 *
 * @param maxSize How large they may be together.
 */
export function groupToRemake(
  segments: readonly KnownSegment[],
  maxSize: number,
): readonly KnownSegment[] {
  const worn = segments.find(({ segment, stale }) => {
    return stale !== undefined && countBits(stale) * 2 > segment.keys.length;
  });
  if (worn) return [worn];
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

/** The keys that count in some segments, ascending. */
export function liveKeys(segments: readonly KnownSegment[]): string[] {
  return segments
    .flatMap(({ segment, stale }) =>
      stale ? segment.keys.filter((_key, entry) => !hasBit(stale, entry)) : segment.keys,
    )
    .toSorted();
}

/** As many of the segments as fit together, the smallest first. */
function smallestOf(segments: readonly KnownSegment[], maxSize: number): KnownSegment[] {
  let size = 0;
  return segments
    .toSorted((a, b) => liveSize(a) - liveSize(b))
    .filter((known) => {
      size += liveSize(known);
      return size <= maxSize;
    });
}

/** What is left of a segment's size, if all its entries are alike. */
function liveSize({ segment, stale }: KnownSegment): number {
  const live = segment.keys.length - (stale ? countBits(stale) : 0);
  return (segment.size * live) / segment.keys.length;
}

function tierOf(size: number): number {
  return Math.floor(Math.log(size) / Math.log(TIER_FACTOR));
}

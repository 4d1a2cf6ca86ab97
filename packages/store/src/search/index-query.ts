import type { SearchBlock, SearchSegment } from '../schema/schema.js';
import { hasBit } from './segments/bitmap.js';
import type { KnownSegment, SegmentCache, SearchTransaction } from './index-state.js';
import { decode } from './segments/postings.js';
import { lowerBound } from './segments/sorted-keys.js';
import { matchesTerm, scoreOfWord, startOf, type Term } from './words/terms.js';

/** The maximum number of blocks in memory at a time, unless a single segment needs more. */
const MAX_BLOCKS_AT_ONCE = 256;

/** Calls `each` with every entry that matches all terms, and its score. */
export async function queryIndex(
  transaction: SearchTransaction<'readonly'>,
  cache: SegmentCache,
  segments: readonly KnownSegment[],
  terms: readonly Term[],
  each: (key: string, score: number) => void,
): Promise<void> {
  // Last keys first: these are the newest notes, which rank before older ones with the same score.
  const inOrder = segments.toSorted((a, b) => (lastKey(a.segment) < lastKey(b.segment) ? 1 : -1));
  for (const group of groupsOf(inOrder, terms)) {
    const reading = group.map(({ known, numbers }) =>
      cache.readBlocks(transaction, known.number, numbers),
    );
    for (const [index, blocks] of (await Promise.all(reading)).entries()) {
      const { segment, stale } = group[index]!.known;
      const scores = scoresOf(segment, blocks, terms);
      for (let entry = scores.length - 1; entry >= 0; entry--) {
        const score = scores[entry]!;
        if (score > 0 && !(stale && hasBit(stale, entry))) each(segment.keys[entry]!, score);
      }
    }
  }
}

interface PlannedSegment {
  known: KnownSegment;
  /** The numbers of the blocks to read, ascending. */
  numbers: number[];
}

/** Groups the segments that are read together. */
function groupsOf(segments: readonly KnownSegment[], terms: readonly Term[]): PlannedSegment[][] {
  const groups: PlannedSegment[][] = [];
  let room = 0;
  for (const known of segments) {
    const numbers = blocksFor(known.segment, terms);
    if (numbers.length > room) {
      groups.push([]);
      room = MAX_BLOCKS_AT_ONCE;
    }
    groups.at(-1)?.push({ known, numbers });
    room -= numbers.length;
  }
  return groups;
}

/** The numbers of the blocks that may contain words for one of the terms, ascending. */
function blocksFor({ firstWords }: SearchSegment, terms: readonly Term[]): number[] {
  const numbers = new Set<number>();
  for (const term of terms) {
    const start = startOf(term);
    const after = lowerBound(firstWords, start);
    // The block before may already contain words that start with this one.
    if (after > 0) numbers.add(after - 1);
    for (let block = after; block < firstWords.length; block++) {
      if (!firstWords[block]!.startsWith(start)) break;
      numbers.add(block);
    }
  }
  return [...numbers].toSorted((a, b) => a - b);
}

/** The score of each entry of a segment; 0 unless it matches all terms. */
function scoresOf(
  { keys }: SearchSegment,
  blocks: readonly SearchBlock[],
  terms: readonly Term[],
): Uint16Array {
  const scores = new Uint16Array(keys.length);
  const best = new Uint16Array(keys.length);
  for (const [index, term] of terms.entries()) {
    best.fill(0);
    for (const block of blocks) {
      for (const word of positionsFor(block, term)) {
        const text = block.words[word]!;
        decode(...bytesOf(block, word), (entry, weight) => {
          const score = scoreOfWord(text, weight, term);
          if (score > best[entry]!) best[entry] = score;
        });
      }
    }
    for (let entry = 0; entry < scores.length; entry++) {
      const hasAll = best[entry]! > 0 && (index === 0 || scores[entry]! > 0);
      scores[entry] = hasAll ? scores[entry]! + best[entry]! : 0;
    }
  }
  return scores;
}

/** The positions of the words of a block that match a term. */
function* positionsFor({ words }: SearchBlock, term: Term): Generator<number> {
  const start = startOf(term);
  for (let word = lowerBound(words, start); word < words.length; word++) {
    if (!words[word]!.startsWith(start)) return;
    if (matchesTerm(words[word]!, term)) yield word;
  }
}

/** The postings of a block, and the range of those that belong to a word. */
function bytesOf(
  { starts, postings }: SearchBlock,
  word: number,
): [bytes: Uint8Array, start: number, end: number] {
  return [postings, starts[word]!, starts[word + 1] ?? postings.length];
}

function lastKey({ keys }: SearchSegment): string {
  return keys.at(-1) ?? '';
}

import { wordsIn } from './words.js';

/** Sentences in scripts without spaces; several can be segmented in more than one way. */
const SAMPLES = [
  '他说的确实在理研究生命起源',
  '外国人参政権すもももももも',
  'ตากลมที่ตลาดในประเทศ',
  'ພາສາລາວໃນປະເທດ',
  'ភាសាខ្មែរក្នុងប្រទេស',
  'မြန်မာဘာသာစကားသည်',
];

let known: string | undefined;

/**
 * A fingerprint of the browser's dictionaries: how they segment a few sentences without spaces.
 * Another version of the browser may segment differently. An index with another fingerprint would
 * miss matches.
 */
export function segmentation(): string {
  known ??= SAMPLES.map((text) => wordsIn(text).map(({ length }) => length)).join(' ');
  return known;
}

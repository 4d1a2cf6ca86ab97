import { wordsIn } from './words.js';

/**
 * The name of the rules by which notes become segments: the form of letters, words, weights, and what blocks
 * contain. Change the name with every change of these rules, because tabs of other versions may be open.
 */
export const RULES = 'accents';

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
 * A fingerprint of the rules by which notes become segments: of our own, and of the browser's dictionaries,
 * which are sampled by a few sentences without spaces. Another version of the browser may segment
 * differently, and a segment with another fingerprint would miss matches.
 */
export function segmentation(): string {
  known ??= [RULES, ...SAMPLES.map((text) => wordsIn(text).map(({ length }) => length))].join(' ');
  return known;
}

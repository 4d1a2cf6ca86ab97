import { FOLDING } from '../../records/folded-text.js';
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
 * A fingerprint of how texts become words: of the form of letters, and of the browser's dictionaries,
 * by a few sentences without spaces. Another version of the browser may segment differently. An index
 * with another fingerprint would miss matches.
 */
export function segmentation(): string {
  known ??= [FOLDING, ...SAMPLES.map((text) => wordsIn(text).map(({ length }) => length))].join(
    ' ',
  );
  return known;
}

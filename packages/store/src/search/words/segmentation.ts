import { wordsIn } from './words.js';

/** Sentences in scripts without spaces; several can be cut in more than one way. */
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
 * Which words a text without spaces has depends on the browser's dictionaries, which another version
 * of the browser may have changed. This is the same string as long as they cut a few sentences in the
 * same places: an index that was made with another one would not find everything.
 */
export function segmentation(): string {
  known ??= SAMPLES.map((text) => wordsIn(text).map(({ length }) => length)).join(' ');
  return known;
}
